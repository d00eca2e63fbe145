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
    # An ensemble in scikit-learn that bears poisoned models

    You will build a vote of nine models with a guarantee, poison two of the models, and see that the promise holds. It takes fifteen minutes.

    You need the project's folder and Python 3.11 or newer. In a terminal in that folder:

    ```sh
    python3 -m venv .venv
    . .venv/bin/activate
    pip install '.[learn,plots]' jupyter
    cd docs/tutorials
    ```

    Then start `python`, or `jupyter lab ensemble.ipynb`, and go on below. This lesson is also a notebook for Jupyter (`ensemble.ipynb`) and for marimo (`ensemble_marimo.py`). Its data come with
    scikit-learn.

    ## 1. Nine models

    The task is to tell benign from malignant tumours in 569 samples. Nine small decision trees vote:
    """)
    return


@app.cell
def _():
    import numpy as np
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split
    from sklearn.tree import DecisionTreeClassifier

    samples, classes = load_breast_cancer(return_X_y=True)
    learn, test, y_learn, y_test = train_test_split(samples, classes, test_size=0.5, random_state=0)
    trees = [(f"tree{i}", DecisionTreeClassifier(max_depth=4, max_features=6, random_state=i)) for i in range(9)]
    return learn, np, test, trees, y_learn, y_test


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 2. A vote that expects two bad models

    `RobustVotingClassifier` takes the place of scikit-learn's `VotingClassifier`. k is the number of models that may be corrupted:
    """)
    return


@app.cell
def _(learn, test, trees, y_learn, y_test):
    from bribeproof.learn import RobustVotingClassifier

    vote = RobustVotingClassifier(trees, k=2).fit(learn, y_learn)
    round(vote.score(test, y_test), 3)
    return (vote,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    `rule_` is the forecast of the second class for 0, 1, …, 9 votes:
    """)
    return


@app.cell
def _(vote):
    vote.rule_.values.round(2)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    It is never 0 or 1: two of nine votes may be lies, and the rule allows for that.

    ## 3. What it promises
    """)
    return


@app.cell
def _(vote):
    round(vote.guarantee_.expected_loss, 3)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The guarantee bounds the expected squared loss of the forecasts, whichever two models are corrupted and whatever they vote, on average over samples like these. Knowing nothing costs about .25. It holds with 95 %
    confidence. As the models were fitted again at the end, that confidence is nominal: *what that means*.

    ## 4. Poison two models

    Two of the models now always say the opposite of what they know:
    """)
    return


@app.cell
def _(test, vote, y_test):
    class Corrupted:
        """A model that says the opposite."""

        def __init__(self, model):
            self.model = model

        def predict(self, rows):
            return 1 - self.model.predict(rows)


    honest = list(vote.estimators_)
    vote.estimators_[:2] = [Corrupted(model) for model in honest[:2]]
    round(vote.score(test, y_test), 3)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    The decisions are as good as before. And the loss stays below what was promised:
    """)
    return


@app.cell
def _(np, test, vote, y_test):
    loss = np.mean((vote.predict_proba(test)[:, 1] - y_test) ** 2)
    round(float(loss), 3), bool(loss < vote.guarantee_.expected_loss)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 5. Which decisions could two models have changed?
    """)
    return


@app.cell
def _(np, test, vote):
    flips = vote.flips_needed(test)
    np.unique(flips, return_counts=True)
    return (flips,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    `flips_needed` counts the models that have to change their votes before the decision is lost. Decisions that need more than two are safe from two corrupted models:
    """)
    return


@app.cell
def _(flips):
    int((flips > 2).sum()), len(flips)
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    ## 6. How often is it right, whatever two models vote?
    """)
    return


@app.cell
def _(test, vote, y_test):
    certified = [vote.certified_accuracy(test, y_test, k=k) for k in range(4)]
    [(result.robust, result.samples, round(result.accuracy_low, 3)) for result in certified]
    return (certified,)


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    For k = 0, 1, 2, 3: samples that stay right whatever k of the votes say, of so many, and a lower bound with 95 % confidence. This is certified accuracy. It needs samples that nothing was fitted on. Remember that two of
    the nine are corrupted already.
    """)
    return


@app.cell
def _(certified):
    import matplotlib.pyplot as plt

    figure, ax = plt.subplots(figsize=(6, 3.2), layout="constrained")
    ax.plot(range(4), [result.accuracy for result in certified], "o--", label="on the test samples")
    ax.plot(range(4), [result.accuracy_low for result in certified], "o-", label="at least, 95 % sure")
    ax.set_xticks(range(4))
    ax.set_xlabel("further corrupted models")
    ax.set_ylabel("certified accuracy")
    ax.set_ylim(0, 1.02)
    ax.legend()
    plt.close(figure)  # the next line shows it
    figure
    return


@app.cell(hide_code=True)
def _(mo):
    mo.md(r"""
    A notebook draws the picture. Plain Python shows only its size: there, write it to a file with `figure.savefig("picture.png")`.

    ## What you have

    - a classifier that fits into any pipeline of scikit-learn;
    - a guarantee of its loss although two of nine models are corrupted;
    - for each decision, how many models it takes to change it.

    ## Where next

    - All options, more classes, models that are fitted already: *ensembles*.
    - A hundred image classifiers under attack: *evidence*.
    - Clients who train together: *Flower*.
    - What the guarantee assumes: *what a guarantee means*.
    """)
    return


if __name__ == "__main__":
    app.run()
