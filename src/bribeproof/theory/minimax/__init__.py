"""The optimal rule, with a certificate."""
