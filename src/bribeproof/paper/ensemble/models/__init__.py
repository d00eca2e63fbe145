"""Image classifiers: features, training and the cache of trained models."""
