"""The event store; the only place that knows the event-sourcing library."""
