"""The review page: a study is read, checked against the papers themselves and decided, in a browser.

`desk` is what one reviewer has before them: an open study, its index, its papers and their pictures; it knows
nothing of HTTP. `app` turns requests into calls of the desk and hands what comes back to the templates.
`security` stands before all of it: nothing is answered without the right Host and session, and nothing is
changed without the session's own token. `serving` opens the port.

A paper is hostile input. Its words reach the page through templates that escape them, never as markup, and
marks that would reorder or hide letters are shown by name (`shown`). No file is named by a request: papers
and static files are looked up in tables made when the page is served. No reader can be imported from here, so
looking at a study can't call a model.
"""
