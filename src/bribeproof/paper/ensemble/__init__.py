"""The source paper's experiment: an ensemble of image classifiers, some of them bribed."""
