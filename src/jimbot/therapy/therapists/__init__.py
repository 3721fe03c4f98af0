"""Therapists to compare a trained policy with: scripted ones, and ones that know more than any therapist can."""

from jimbot.therapy.therapists.scripted import THERAPISTS, Therapist, create_therapist

__all__ = ["THERAPISTS", "Therapist", "create_therapist"]
