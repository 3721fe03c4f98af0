"""Reference therapists to compare trained policies with: scripted ones and omniscient ones."""

from jimbot.therapy.therapists.scripted import THERAPISTS, Therapist, create_therapist

__all__ = ["THERAPISTS", "Therapist", "create_therapist"]
