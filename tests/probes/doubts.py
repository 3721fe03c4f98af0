"""Open doubts by item: where the sources of the rules are unsure or disagree, and what this engine does.

Each is listed with its reason in engine/DIFFERENCES.md.
"""

DOUBTS: dict[str, str] = {
    "j_vampire": "Gains once per card; added in one step the last digit can differ.",
    "j_sixth_sense": "Takes a debuffed 6 too.",
    "j_stone": "Counts the Stone cards of the moment, without those Vampire has just stripped.",
    "j_astronomer": "Planets it makes free sell for $1.",
    "bl_pillar": "A card whose enhancement changes counts as not yet played.",
    "v_overstock_norm": "Fills the whole row, bought places included.",
    "bl_ox": "The hand it fears is recomputed after each boss; of hands played equally often the stronger one counts.",
    "j_luchador": "If the score already meets the target a disabled boss leaves, the round is won at once.",
    "j_matador": "Pays for The Flint; does not pay for The Hook, The Tooth or Crimson Heart.",
    "seal_blue": "Neither Mime nor a Red Seal repeats it.",
    "j_mime": "Does not repeat a Blue Seal.",
    "j_seeing_double": "With Smeared Joker a single black card is enough.",
    "j_flower_pot": "A debuffed Wild card fills no suit.",
    "p_arcana_normal_1": "The dealt hand goes back under the draw pile.",
    "j_loyalty_card": "A hand that the boss refuses counts as played.",
    "j_todo_list": "The order in which random hands are drawn is that of the Windows build.",
    "tag_orbital": "The order in which random hands are drawn is that of the Windows build.",
    "c_rich_1": "Chips are cut to the money held at every change, the base chips included.",
    "c_xray_1": "The chance to be face down is not doubled by Oops! All 6s.",
    "c_luxury_1": "Debt raises the hand size, without a limit.",
    "c_inflation_1": "Opening a pack raises prices too.",
    "tag_boss": "Uses up Director's Cut's reroll of the ante.",
    "c_ankh": "Usable with full joker slots.",
    "tag_double": "Several of them add: n make the next tag n + 1 tags.",
    "bl_final_heart": "If its joker is sold, the next is chosen at the draw after the next play.",
    "j_ice_cream": "Melts after a refused hand too.",
    "j_selzer": "Is used up by a refused hand too.",
    "j_chicot": "Acts in joker order when a blind is selected: Burglar to its right still takes the discards.",
}
