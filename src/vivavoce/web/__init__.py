"""The review page: people check a study's answers against the papers and decide them, in a browser.

`session` is what one reviewer works with: an open study, its index, its papers and their pictures. It knows
nothing of HTTP. `app` turns requests into calls of the session and hands the results to the templates.
`security` runs before all of it: nothing is answered without the right Host and session cookie, and nothing
is changed without that session's own token. `serving` opens the port.

A paper is hostile input. Its words reach the page through templates that escape them, never as markup, and
characters that would reorder or hide letters are shown by name (`invisible`). No file is named by a request:
papers and static files are looked up in tables made when the page is served. No reader can be imported from
here, so looking at a study can't call a model.
"""
