"""Rules for reporters whose errors go together less than they could, by the joint errors of pairs."""
