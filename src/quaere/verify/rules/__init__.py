"""Rules on two aligned statements, one relation each: who, when, how much, on which condition."""
