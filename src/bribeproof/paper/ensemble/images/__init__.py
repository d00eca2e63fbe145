"""Read the sets of images that the classifiers are trained and tested on."""
