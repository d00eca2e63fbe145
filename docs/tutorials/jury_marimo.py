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
    # A jury of LLM judges: what is it worth, and whom to keep

    You will settle a single verdict, measure what a jury of six models is worth on items with known answers, and choose a better jury. It takes fifteen minutes, and calls no model.

    You need the project's folder and Python 3.11 or newer. In a terminal in that folder:

    ```sh
    python3 -m venv .venv
    . .venv/bin/activate
    pip install '.[plots]' jupyter
    cd docs/tutorials
    ```

    Then start `python`, or `jupyter lab jury.ipynb`, and go on below. Plain Python frames its tables in other lines; the numbers are the same. This lesson is also a notebook for Jupyter (`jury.ipynb`) and for marimo (`jury_marimo.py`). Its data are
    in the project's folder `tests/fixtures`, and here: `verdicts.csv`.

    ## 1. One verdict

    Five models were asked whether an answer is good. One of them failed:
    """)
    return


@app.cell
def _():
    from bribeproof import jury

    verdict = jury.decide({"gpt": "good", "claude": "good", "llama": "good", "qwen": "bad", "phi": None}, k=1)
    print(verdict.summary())
    return (jury,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Nobody pays a language model. But the answer that it judges may hold text that speaks to it, and its provider may have changed it last night. A judge who says what somebody else wants is *bribed*, whoever did it. k is how
    many of them you want to be safe from.

    The failed judge is silent. It still counts: five judges were asked, not four. If it were left out, whoever can make judges fail would gain by it.

    ## 2. Scores instead of verdicts
    """)
    return


@app.cell
def _(jury):
    grade = jury.grade({"gpt": 7, "claude": 8, "llama": 7.5, "qwen": 0, "phi": 8}, k=1, threshold=7)
    grade.answer, grade.range, grade.passed, grade.flips_needed
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The lowest and the highest score are dropped. The answer passes the threshold of 7. But the range says that one bribed judge could have pushed it below, and one flip is enough.

    ## 3. What is a jury of six worth?

    The file holds 350 pairs of answers. Of each pair it is known which answer is right, and which one each of six models prefers:
    """)
    return


@app.cell
def _():
    import polars as pl

    verdicts = pl.read_csv("../../tests/fixtures/llm_judges/verdicts.csv")
    judges = verdicts.columns[1:-1]
    verdicts.select("task", pl.col(judges[-2:]).name.map(lambda name: name[:18]), "truth").head(4)
    return judges, pl, verdicts


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    An empty cell is a judge who preferred another answer when the two were shown in the other order.
    """)
    return


@app.cell
def _(judges, jury, verdicts):
    worth = jury.examine(verdicts, "truth", judges=judges)
    print(*worth.summary().splitlines()[1:4], sep="\n")
    return (worth,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    A coin is right on 175. So one bribed judge of the six, perhaps another on each pair, can make the jury worse than a coin.
    """)
    return


@app.cell
def _(worth):
    print(*worth.summary().splitlines()[-3:], sep="\n")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    This is the uncomfortable part. The six err on the same pairs, so that they are worth about two. The best of them alone is right more often than all six together.
    """)
    return


@app.cell
def _(pl, worth):
    worth.judges.select(pl.col("judge").str.slice(0, 30), "right", "silent")
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 4. Choose a better jury
    """)
    return


@app.cell
def _(judges, jury, verdicts):
    choice = jury.choose(verdicts, "truth", k=0, judges=judges)
    print(choice.summary().splitlines()[1])
    print(choice.summary().splitlines()[2])
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    Three judges do better than six. The first number flatters, because the same pairs chose the jury. The second does not: each pair was answered by a jury that other pairs had chosen.

    Against one bribed judge the best jury is another:
    """)
    return


@app.cell
def _(judges, jury, verdicts):
    safer = jury.choose(verdicts, "truth", k=1, judges=judges)
    safer.dropped, safer.panel_robust, safer.robust, safer.crossfitted
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 5. Families

    What fools one model often fools its relatives. Then count families, so that one bribe buys all of them:
    """)
    return


@app.cell
def _(judges, jury, verdicts):
    families = {name: name.split("_")[0] for name in judges}
    by_family = jury.choose(verdicts, "truth", k=1, judges=judges, families=families)
    by_family.judges, by_family.panel_robust, by_family.robust
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    One judge from each of three families is better than all six.

    ## 6. A picture for the team
    """)
    return


@app.cell
def _(verdicts, worth):
    import matplotlib.pyplot as plt

    robust = worth.certification.by_k
    figure, ax = plt.subplots(figsize=(6, 3), layout="constrained")
    ax.bar_label(ax.bar(robust["k"].cast(str), robust["robust"]))
    ax.axhline(verdicts.height / 2, color="black", linestyle="--", linewidth=1)
    ax.set_xlabel("bribed judges, perhaps others on each pair")
    ax.set_ylabel(f"right, of {verdicts.height} pairs")
    ax.set_title("A jury of six models (dashed: a coin)")
    plt.close(figure)  # the next line shows it
    figure
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    A notebook draws the picture. Plain Python shows only its size: there, write it to a file with `figure.savefig("picture.png")`.

    ## What you have

    - verdicts and scores that say how many judges it takes to change them;
    - a measured answer to "what is our jury worth?";
    - a smaller jury that is right more often, with an estimate that does not flatter.

    ## Where next

    - Your own judges: *a panel of LLM judges* lists all functions, also for verdicts in both orders.
    - inspect_ai, TruLens, DeepEval, promptfoo: *adapters*.
    - What certified accuracy means: *theory*.
    """)
    return


if __name__ == "__main__":
    app.run()
