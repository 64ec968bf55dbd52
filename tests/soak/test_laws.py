"""Long runs: the laws of all games on many more matches."""

from __future__ import annotations

from typing import Protocol

import pytest
from hypothesis.core import HypothesisHandle

from tests.conftest import CATALOGUE
from tests.contract import test_laws as laws

SEEDS = 150


class Law(Protocol):
    """A law with the seeds that it is given."""

    hypothesis: HypothesisHandle


LAWS = (
    laws.test_a_same_input_gives_the_same_facts_whatever_the_order_of_keys,
    laws.test_b_inputs_are_left_untouched,
    laws.test_c_every_listed_action_is_accepted,
    laws.test_e_folding_the_facts_gives_the_position_after,
    laws.test_f_everything_survives_canonical_json,
    laws.test_k_every_fact_cites_a_rule_that_exists,
    laws.test_l_normalising_is_idempotent_and_fills_in_defaults,
    laws.test_m_every_form_has_all_facts_and_draws,
)


@pytest.mark.soak
@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize("name", CATALOGUE.names())
def test_law(name: str, law: Law) -> None:
    check = law.hypothesis.inner_test
    for seed in range(10_000, 10_000 + SEEDS):
        check(CATALOGUE.game(name), seed=seed)
