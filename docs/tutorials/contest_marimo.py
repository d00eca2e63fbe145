import marimo

__generated_with = "marimo"
app = marimo.App()


@app.cell
def _():
    import marimo as mo

    return (mo,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    # A contest: from a spreadsheet to a report

    You will take the score sheet of a contest, find the result by a trimmed mean, ask whether one or two bribed judges could have changed it, and end with a page to send. It takes fifteen minutes.

    You need the project's folder and Python 3.11 or newer. In a terminal in that folder:

    ```sh
    python3 -m venv .venv
    . .venv/bin/activate
    pip install '.[plots]' jupyter
    cd docs/tutorials
    ```

    Then start `python`, or `jupyter lab contest.ipynb`, and go on below. Plain Python frames its tables in other lines; the numbers are the same. This lesson is also a notebook for Jupyter (`contest.ipynb`) and for marimo (`contest_marimo.py`). The
    sheet is `data/choirs.csv`; it belongs into a folder `data` beside the notebook.

    ## 1. Look at the sheet

    Six choirs sang for seven judges. The sheet comes from a spreadsheet program, and looks like many others:
    """)
    return


@app.cell
def _():
    from pathlib import Path

    print(Path("data/choirs.csv").read_text())
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    There is a title on top, semicolons, decimal commas, an average and a rank at the right, an average below, and an empty cell: Elif did not hear the Wrens.

    ## 2. Combine the marks

    Suppose that one of the seven judges may be bribed. That number is called k, so k = 1.
    """)
    return


@app.cell
def _():
    import matplotlib.pyplot as plt

    import bribeproof as bp
    from bribeproof import plots

    result = bp.aggregate("data/choirs.csv", k=1)
    print(*result.notes, sep="\n")
    return bp, plots, plt, result


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    These notes say how the sheet was read. Always look at them. Here all is right: seven judges, and the average and the rank were left out.
    """)
    return


@app.cell
def _(result):
    result.items.sort("estimate", descending=True).select("choir", "m", "estimate", "range_low", "range_high")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    `estimate` is the trimmed mean: of each choir the highest and the lowest score are dropped, and the rest is averaged. `range_low` and `range_high` say how far one bribed judge could have moved it. `m` is the number of
    marks: the missing mark of the Wrens is no zero.

    Compare it with the rank in the sheet. There the Robins are third. Here the Swifts are. Who was dropped?
    """)
    return


@app.cell
def _(result):
    result.items.select("choir", "dropped_low", "dropped_high")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Chloe gave the Robins 10 and the Swifts 6, far from all others. With a plain average this one judge decides the third place. With the trimmed mean she does not.

    ## 3. Is the podium safe?
    """)
    return


@app.cell
def _(result):
    print(result.summary())
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The Owls are first, and that is safe: whichever judge is bribed, and whatever that judge writes. The second and the third place are not. Some one judge could have given them to others.

    The same in a terminal is `bribeproof aggregate data/choirs.csv --k 1`.

    ## 4. Could the same two judges have changed the winner?
    """)
    return


@app.cell
def _(bp):
    two = bp.worst_bribe("data/choirs.csv", k=2, trim=1)
    print(two.summary())
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    `trim=1` says that the rule of the contest drops one mark at each end, whoever is bribed. With two bribed judges the rule drops one of them and keeps the other. How few are enough for another winner?
    """)
    return


@app.cell
def _(bp):
    print(bp.cheapest_bribe("data/choirs.csv", "winner", trim=1).summary())
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    So the winner is safe from one judge and not from two. The names are no accusation: somebody has to sit in every seat.

    A picture says it at once. The dark bars are the places that the same one judge could have caused:
    """)
    return


@app.cell
def _(bp, plots, plt):
    figure, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
    plots.contest(bp.worst_bribe("data/choirs.csv", k=1), ax=ax)
    plt.close(figure)  # the next line shows it
    figure
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    A notebook draws the picture. Plain Python shows only its size: there, write it to a file with `figure.savefig("picture.png")`.

    ## 5. Does a judge differ?
    """)
    return


@app.cell
def _(bp):
    report = bp.report("data/choirs.csv", k=1)
    deviations = {section.name: section for section in report.sections}["deviations"]
    print(*deviations.blocks[0].lines[:2], sep="\n")
    return (report,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    This is an audit, one section of a report. Nobody deviates more than chance allows. Six choirs are few, and one strange pair of marks is no pattern. An audit never says who was bribed: *how to read one*.

    ## 6. Make the report
    """)
    return


@app.cell
def _(report):
    report.save("choirs_report.html")
    print(report.summary())
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Open `choirs_report.html` in a browser. It has the result, what is safe, who was dropped, and how to repeat all of it. `report.save("choirs_report.xlsx")` writes a workbook (`pip install '.[excel]'`).

    In a terminal: `bribeproof report data/choirs.csv --k 1 -o choirs_report.html`.

    ## What you have

    - the result by a trimmed mean, with the marks that were dropped;
    - the places that are safe from one bribed judge, and the number of judges that it takes to change the winner;
    - a report that anybody can check.

    ## Where next

    - Several rounds, factors, deductions: *Could the same two judges have changed the podium?*
    - Judges who rank instead of giving marks: *rankings*.
    - Which k? *Choose k*.
    - A sheet that is read wrongly: *read a messy file*.
    """)
    return


if __name__ == "__main__":
    app.run()
