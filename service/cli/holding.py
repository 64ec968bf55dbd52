"""Holding a tournament of the demo: every game is a simulated match of the service."""

from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any

from schemas.strict import canonical
from service.aggregates.attachments import Attached, Text
from service.aggregates.events import TableGame
from service.aggregates.matches import Match
from service.aggregates.tournaments.amending import AmendResult
from service.aggregates.tournaments.cuts import MakeCut, seeding_of
from service.aggregates.tournaments.deciding import TournamentCommand, is_elimination, wins_needed
from service.aggregates.tournaments.drafts import is_over
from service.aggregates.tournaments.entries import DropPlayer, EnterPlayer, RegisterDeck
from service.aggregates.tournaments.levels import logged_games
from service.aggregates.tournaments.linking import seats_of_game
from service.aggregates.tournaments.opening import CloseTournament, OpenTournament
from service.aggregates.tournaments.results import ConfirmResult, ReportResult
from service.aggregates.tournaments.rounds import CloseRound, DraftRound, PublishRound
from service.aggregates.tournaments.state import TableState, Tournament
from service.catalogue import SAMPLE
from service.cli.demo_tournaments import Claim, DemoTournament, Player
from service.commands.simulations import (
    simulate,
    simulated_seat,
    simulated_secrets,
    simulation_key,
)
from service.commands.tournaments import carry_out, open_tournament
from service.engine.setups import spelled_deck
from service.engine.values import Json
from service.installation import NAMESPACE, Installation, clock
from service.standings.profiles import PROFILES
from service.table_links import Place, link_match

STAFF = "demo"
SEATS = ("P1", "P2")
ROUND_MINUTES = 50


def hold(installation: Installation, demo: DemoTournament) -> Tournament:
    """Hold a tournament to its end, or go on with one that was interrupted."""
    held = Holding(installation, demo)
    for phase in range(1, len(demo.phases) + 1):
        held.begin_phase(phase)
        while not held.is_over(phase):
            held.play_round()
    held.close()
    return held.state


class Holding:
    """A tournament that is being held. What was done before an interruption is not done again."""

    def __init__(self, installation: Installation, demo: DemoTournament) -> None:
        """Open the tournament, unless it is there."""
        self._installation = installation
        self._demo = demo
        self._pool = installation.named_pool(demo.game, SAMPLE)
        self._decks = {player.id: self._deck(player) for player in demo.players}
        if installation.tournaments.find(demo.tournament_id) is None:
            self._open()

    @property
    def state(self) -> Tournament:
        """The tournament as it is."""
        return self._installation.tournaments.tournament(self._demo.tournament_id)

    def is_over(self, phase: int) -> bool:
        """Tell whether all rounds of a phase are closed."""
        state = self.state
        is_closed = all(one.closed is not None for one in state.rounds.values())
        return state.phase > phase or (is_closed and is_over(state, phase))

    def begin_phase(self, phase: int) -> None:
        """Let those in who are there from the start, or make the cut; a tie is in its order."""
        if phase == 1:
            self._change_players(1)
        state = self.state
        is_open = phase == 1 and state.phase_of(phase).format == "swiss"
        if is_open or phase in state.cuts:
            return
        seed = self._demo.drawn(f"cut/{phase}")
        tied = () if phase == 1 else seeding_of(state, phase, seed, ()).undecided
        self._do(MakeCut, phase=phase, seed=seed, order=tied)

    def play_round(self) -> None:
        """Play the round that is open, or the next one."""
        number = self._opened_round()
        claims = [claim for claim in self._demo.claims if claim.round == number]
        for claim in claims:
            self._report(claim)
        for table in self.state.rounds[number].tables:
            self._play(number, table)
        for claim in claims:
            self._settle(claim)
        self._do(CloseRound, round=number)

    def close(self) -> None:
        """End the tournament."""
        self._do(CloseTournament, seed=self._demo.drawn("end"))

    def _do(self, kind: type[TournamentCommand], *texts: Text, **fields: Any) -> None:
        command = kind(tournament_id=self._demo.tournament_id, **{"by": STAFF, **fields})
        carry_out(
            self._installation.tournaments, command, now=clock(), attached=Attached(texts=texts)
        )

    def _deck(self, player: Player) -> Json:
        ruleset = self._pool.ruleset
        setup = ruleset.prepared({}, SEATS)
        return spelled_deck(ruleset, setup, SEATS[0], f"@{player.deck}")

    def _open(self) -> None:
        demo, name = self._demo, self._installation.salted(self._demo.name)
        command = OpenTournament(
            tournament_id=demo.tournament_id,
            name=name.digest,
            game=demo.game,
            cards=SAMPLE,
            setup=self._pool.ruleset.prepared({}, SEATS),
            phases=demo.phases,
            profile=PROFILES[demo.profile],
            late=demo.late,
            by=STAFF,
        )
        open_tournament(
            self._installation.tournaments, command, now=clock(), attached=Attached(texts=[name])
        )

    def _change_players(self, number: int) -> None:
        """Let players in and out before a round."""
        salted = self._installation.salted
        for player in self._demo.players:
            known = self.state.entries.get(player.id)
            if player.enters > number or (known is not None and known.deck is not None):
                continue
            name = salted(player.name)
            self._do(EnterPlayer, name, player=player.id, person=None, name=name.digest)
            deck = salted(canonical(self._decks[player.id]).decode())
            self._do(RegisterDeck, deck, player=player.id, deck=deck.digest)
        for drop in self._demo.drops:
            if drop.after_round < number:
                reason = salted(drop.reason)
                self._do(DropPlayer, reason, player=drop.player, reason=reason.digest)

    def _opened_round(self) -> int:
        """Return the number of the open round; without one the next is drafted and published."""
        state = self.state
        last = state.rounds.get(state.last_round)
        if last is not None and last.closed is None:
            return last.number
        number = state.last_round + 1
        self._change_players(number)
        self._do(DraftRound, round=number, seed=self._demo.drawn(f"round/{number}"))
        self._do(PublishRound, round=number, minutes=ROUND_MINUTES)
        return number

    def _table(self, number: int, table: int) -> TableState:
        return self.state.rounds[number].tables[table]

    def _report(self, claim: Claim) -> None:
        table = self._table(claim.round, claim.table)
        if table.result is not None:
            return
        first, second = table.players
        is_first = claim.winner == "first"
        self._do(
            ReportResult,
            round=claim.round,
            table=claim.table,
            winner=first if is_first else second,
            games=(int(is_first), int(not is_first), 0),
            side=first,
        )

    def _settle(self, claim: Claim) -> None:
        """Confirm what was claimed, or put what the log says in its place."""
        table = self._table(claim.round, claim.table)
        result = table.result
        assert result is not None, "it was reported"
        if claim.confirmed and not result.confirmed:
            second = table.players[1]
            self._do(
                ConfirmResult,
                round=claim.round,
                table=claim.table,
                reported=result.seq,
                side=second,
            )
        if claim.amended is None or result.amended:
            return
        reason = self._installation.salted(claim.amended)
        self._do(
            AmendResult,
            reason,
            round=claim.round,
            table=claim.table,
            winner=_ahead(table),
            games=logged_games(table),
            supersedes=result.seq,
            reason=reason.digest,
        )

    def _play(self, number: int, at: int) -> None:
        """Play the games of a table until they decide the match; staff ends one that none won."""
        phase = self.state.rounds[number].phase
        best_of = self._demo.phases[phase - 1].best_of
        wins, is_bracket = wins_needed(self.state, phase), is_elimination(self.state, phase)
        for game in range(1, 2 * best_of + 1):
            table = self._table(number, at)
            first, second, drawn = logged_games(table)
            is_won = max(first, second) >= wins
            if is_won or (first + second + drawn >= best_of and not is_bracket):
                return
            if all(link.game != game for link in table.links):
                place = Place(
                    tournament=self._demo.tournament_id, round=number, table=at, game=game
                )
                match = self._simulated(table, phase, place)
                # Verified first, as the background work does it with every match of a table.
                link_match(self._installation, match, place, by=None)
        table = self._table(number, at)
        if table.result is None:
            winner = _ahead(table) or table.players[0]
            games = logged_games(table)
            self._do(ReportResult, round=number, table=at, winner=winner, games=games)

    def _simulated(self, table: TableState, phase: int, place: Place) -> Match:
        """Play a game of a table, or find it played; the first named begins the odd games."""
        label = f"{place.tournament}/{place.round}/{place.table}"
        key = simulation_key(label, self._demo.seed, place.game)
        players = seats_of_game(table, place.game)
        names = {player.id: player.name for player in self._demo.players}
        seats = {seat: names[player] for seat, player in players.items()}
        command = self._installation.open_command(
            str(uuid.uuid5(NAMESPACE, f"demo match {label}/{place.game}")),
            self._pool,
            cards=SAMPLE,
            kind="simulated",
            seats=self._installation.named_seats(seats),
            secrets=simulated_secrets(key),
        )
        decks = {seat: self._decks[player] for seat, player in players.items()}
        clients = [simulated_seat(key, seat, deck, canonical(deck)) for seat, deck in decks.items()]
        command = replace(
            command,
            setup=self.state.opened.setup,
            opened_by=STAFF,
            table=TableGame(
                tournament=place.tournament,
                phase=phase,
                round=place.round,
                table=place.table,
                game=place.game,
            ),
        )
        return simulate(self._installation.log, command, clients, clock=clock)


def _ahead(table: TableState) -> str | None:
    """Return the player whom the logs show ahead, or None."""
    first, second, _ = logged_games(table)
    if first == second:
        return None
    return table.players[0] if first > second else table.players[1]
