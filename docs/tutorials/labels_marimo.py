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
    # Labels: from raw votes to certified answers

    You will take the raw answers of seven labellers, decide each item, learn how often the decisions are right whoever is bribed, and end with a list of what to label again. It takes fifteen minutes.

    You need the project's folder and Python 3.11 or newer. In a terminal in that folder:

    ```sh
    python3 -m venv .venv
    . .venv/bin/activate
    pip install '.[plots]' jupyter
    cd docs/tutorials
    ```

    Then start `python`, or `jupyter lab labels.ipynb`, and go on below. Plain Python frames its tables in other lines; the numbers are the same. This lesson is also a notebook for Jupyter (`labels.ipynb`) and for marimo (`labels_marimo.py`). The files are
    `data/photo_labels.csv` and `data/photo_truth.csv`. They belong into a folder `data` beside the notebook.

    ## 1. Read the raw answers

    Each of 120 photos of animals was shown to five of seven labellers. Names and photos are made up.
    """)
    return


@app.cell
def _():
    import polars as pl

    import bribeproof as bp

    raw = pl.read_csv("data/photo_labels.csv")
    raw.head(6)
    return bp, pl, raw


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    An empty label is a photo that the labeller skipped. Combine the labels, and allow for one bribed labeller, k = 1:
    """)
    return


@app.cell
def _(bp, raw):
    first = bp.aggregate(raw, k=1)
    print(first.summary())
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The warnings are worth reading. `Hare` and `hare` are kept apart, as nobody knows whether they mean the same. One row stands twice, and counts once. Here both are slips, so mend them:
    """)
    return


@app.cell
def _(bp, pl, raw):
    labels = raw.with_columns(pl.col("label").str.to_lowercase()).unique(maintain_order=True)
    result = bp.aggregate(labels, k=1)
    print(result.summary())
    return labels, result


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 2. Read the decisions
    """)
    return


@app.cell
def _(result):
    result.items.select("task", "m", "decision", "tie", "flips_needed", "status").head(8)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    - `m` is the number of labels on the photo. Who skipped it is silent, and still counts among the seven.
    - `flips_needed` is how many labels have to be rewritten before the decision no longer wins alone. Where it is 1, one bribed labeller is enough.
    - A tie has no decision. No order of rows breaks it.

    ## 3. How often are the decisions right?

    An expert has looked at 60 of the photos, drawn at random. They are the gold items:
    """)
    return


@app.cell
def _(bp, labels):
    truth = "data/photo_truth.csv"
    certified = bp.certify(labels, truth, k=1)
    certified.by_k.select("k", "gold", "robust", "accuracy", "accuracy_low")
    return certified, truth


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    - Row k = 0: if nobody is bribed, `robust` of the 60 are right. With 95 % confidence the share on all photos is at least `accuracy_low`.
    - Row k = 1: the same, *whichever one labeller of each photo is bribed, and whatever that one says*. This is certified accuracy.
    """)
    return


@app.cell
def _(certified):
    print(certified.summary().splitlines()[2])
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The bound is an average over photos like the gold ones. It holds because these were drawn at random. Had the expert picked easy photos, it would promise too much.

    ## 4. Which k?
    """)
    return


@app.cell
def _(bp, labels):
    bp.sweep(labels, kind="labels").by_k
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    With k = 2 many photos have too few labels: more than 2k are needed. Five labels on each photo bear one bribed labeller, and hardly two. More in *choose k*.

    ## 5. What could one labeller have done to all photos?

    So far the bribed labeller could be another on each photo. Now the same one is bribed throughout:
    """)
    return


@app.cell
def _(bp, labels):
    print(bp.worst_bribe(labels, k=1).summary())
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    That is fewer than the decisions that somebody or other could have changed. The name is no accusation: it is whose labels matter most.

    ## 6. Let better labellers count for more
    """)
    return


@app.cell
def _(bp, labels, truth):
    weighed = bp.weigh(labels, k=1, truth=truth)
    weighed.reporters.select("reporter", "reports", "right", "weight")
    return (weighed,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    `right` is the share of gold items on which the labeller was right. Weights are limited, so that a bought one does bounded harm (*how*). Weights also break ties:
    """)
    return


@app.cell
def _(result, weighed):
    weighed.items["tie"].sum(), result.items["tie"].sum()
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 7. Decide what to label again
    """)
    return


@app.cell
def _(bp, labels, truth):
    report = bp.report(labels, k=1, truth=truth, cost_per_report=0.05)
    report.save("labels_report.html")
    print(report.summary())
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Open `labels_report.html` in a browser. It lists each photo to label again, why, how many more labels it needs at least, and what they cost.

    At last, write the decisions with their status:
    """)
    return


@app.cell
def _(bp, pl, result):
    decisions = result.items.select("task", "decision", "flips_needed", "status")
    bp.write_table(decisions, "labels_report.csv")
    decisions.filter(pl.col("flips_needed") >= 2).height
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    So many photos have a decision that no single labeller could have changed by another label.

    ## What you have

    - a decision for each photo, with ties and fragile ones marked;
    - a lower bound of how often the decisions are right although one labeller of each photo is bribed;
    - a report that says which photos to label again, and at what price.

    ## Where next

    - How many gold items? *Gold items*.
    - A vendor who may be bribed as a whole: *groups*.
    - An export of Label Studio or another tool: *labelling tools*.
    - Stop a training run on weak labels: *pipelines*.
    """)
    return


if __name__ == "__main__":
    app.run()
