"""Run, resume, plan, ask: the room that joins the stages. `engines` say where the work is done."""
