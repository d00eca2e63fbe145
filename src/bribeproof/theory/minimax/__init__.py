"""The rule with the least worst-case regret, by cutting planes, with a certificate."""
