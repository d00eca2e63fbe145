"""The setting: panels, truthful reporters, losses, guarantees, certificates, histograms of reports."""
