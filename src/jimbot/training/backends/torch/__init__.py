"""What every torch-based backend shares: devices, policies, and states as plain arrays."""
