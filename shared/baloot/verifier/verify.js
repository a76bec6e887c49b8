"use strict";

/*
 * Checks the deals of a match of Baloot from its proof file, in any browser or Node.js, and needs nothing else.
 *
 *   node verify.js PROOF.json [--pin SEQUENCE:CHAIN]... [--seed SEAT=SEED]... [--beacon HEX] [--json] [--quiet]
 *   node verify.js --vectors VECTORS.json
 *
 * In a page it is BalootVerifier.verify(proof, pins, seeds, beacon). It says what verify.py says, in the same words.
 * Exit codes: 0 verified, 1 refused, 2 cannot be read, 3 nothing is refuted, but it is not provable either.
 * DEALS.md, "Checking a match", tells the format, every reason, and what is proved by it and what is not.
 */
const BalootVerifier = (() => {
  const SEATS = ["South", "East", "North", "West"];
  const EXIT_CODES = { verified: 0, refused: 1, unreadable: 2, unproved: 3 };
  const FORMAT = "baloot-proof/1";
  const NOTHING = new Uint8Array(32);
  const NEWEST_EVENT = 33;
  const LAST_CUT = 7;

  /** Why a proof is not accepted. The first that is found is told. */
  const REASONS = {
    UNREADABLE: "This is no proof file that can be read: {what} is not as it must be.",
    ENTRY_MISSING: "Entry {expected} is missing: entry {entry} stands in its place.",
    CHAIN_WRONG: "Entry {entry} is not what the chain was made of.",
    PIN_WRONG: "The chain value that was noted at entry {entry} is not that of this log.",
    BEGIN_WRONG: "Entry {entry} does not open the table in the way every log begins.",
    EVENT_MISPLACED: "Entry {entry} goes on with a deal where none is on.",
    END_MISSING: "The log is said to be complete, and does not tell how the match ended.",
    AFTER_END: "Entry {entry} begins deal {deal} after the match had ended.",
    DEAL_EARLY: "Entry {entry} begins deal {deal} before the match has started.",
    COMMITMENT_MISSING: "Deal {deal} begins in entry {entry} without a commitment before it.",
    COMMITMENT_LATE: "Entry {entry} commits to deal {deal} after it began.",
    COMMITMENT_WRONG: "Deal {deal} in entry {entry} has another commitment than the one that was made for it.",
    BLOCK_WRONG: "Entry {entry} commits to deals from {deal} on, where those from {expected} on are next.",
    SEED_EARLY: "In entry {entry} {seat} adds a seed to deals that nobody has committed to.",
    SEED_LATE: "In entry {entry} {seat} adds a seed to deals that have begun, or whose beacon is known.",
    SEED_AFTER_TIME: "In entry {entry} {seat} adds a seed when the value of the beacon may be public already.",
    SEED_TWICE: "In entry {entry} {seat} adds a second seed to the same deals.",
    SEED_UNFIT: "In entry {entry} {seat} adds a seed that is not 32 bytes long.",
    OWN_SEED_MISSING: "The seed that {seat} sent was not added to any deals.",
    BEACON_MISSING: "Deal {deal} begins in entry {entry} before the beacon is given.",
    BEACON_EARLY: "Entry {entry} gives the beacon before any deal is committed to.",
    BEACON_UNEXPECTED: "Entry {entry} gives a beacon where none is due.",
    BEACON_BEFORE_TIME: "Entry {entry} gives the beacon before its value may be public.",
    BEACON_WRONG: "The beacon of this log is {value}, and not the value that was looked up.",
    BEACON_ABSENT: "A value was looked up, and the settings of this match name no beacon.",
    NUMBER_WRONG: "Entry {entry} begins deal {deal}, where deal {expected} is next.",
    DEAL_UNFINISHED: "Deal {deal} was neither scored nor void when entry {entry} began the next.",
    VOID_WRONG: "Deal {deal} is called void in entry {entry}, after its contract was settled.",
    KAWESH_UNSHOWN: "The Kawesh of {seat} in entry {entry} lays no hand open, and ends deal {deal}.",
    CUT_WRONG: "The cut of deal {deal} in entry {entry} does not fit how the deal was opened.",
    DEALER_WRONG: "{seat} deals deal {deal} in entry {entry}, where it is the turn of {expected}.",
    REVEAL_MISSING: "The seed of deal {deal} is not revealed by entry {entry}, where it is due.",
    REVEAL_EARLY: "The seed of deal {deal} is revealed in entry {entry}, before the deal is over.",
    REVEAL_WRONG: "Entry {entry} reveals the seed of deal {deal}, where that of deal {expected} is next.",
    SEED_WRONG: "The seed that was revealed for deal {deal} does not open its commitment.",
    ROOT_WRONG: "The root of deal {deal} is not that of the deck which its seeds and beacon make.",
    LOT_WRONG: "{seat} deals first, and the lot fell to {expected}.",
    UP_CARD_WRONG: "The up card of deal {deal} is not the one of its deck.",
    HAND_WRONG: "The hand of {seat} laid open in entry {entry} is not the one dealt to it in deal {deal}.",
    CARD_WRONG: "The card of {seat} in entry {entry} was not dealt to it in deal {deal}.",
    CARD_TWICE: "The card of {seat} in entry {entry} was played before in deal {deal}.",
    TRICK_WRONG: "The trick in entry {entry} is not made of the last four cards of deal {deal}.",
    PROJECT_WRONG: "A project of {seat} in entry {entry} has cards not dealt to it in deal {deal}.",
    SAWA_WRONG: "The cards of the Sawa of {seat} in entry {entry} are not those left to it in deal {deal}.",
  };

  /** What is proved. */
  const FACTS = {
    CHECKED: "{deals} deals are what their seeds make them: {played} played, {thrown_in} thrown in, {kawesh} ended by Kawesh, {reshuffled} reshuffled, {broken_off} broken off.",
    SEEDS: "Deals {first} to {last}: seats that added a seed: {added}; seats that did not: {absent}.",
    BEACON: "The beacon was given in entry {entry} at {at}, before the first deal, and after deals 1 to {last} were committed to: {value}, by the name “{name}”.",
    BEACON_SEEDS: "The last seed that a seat added before the beacon was accepted at {at}.",
    BEACON_TIME: "The beacon may be public from {at} on: it was not given before, and no seed was added to those deals from then on.",
    BEACON_COMPARED: "The beacon is the value that was looked up.",
    PINS: "{count} chain values that were noted are those of this log.",
    OWN_SEED: "The seed that {seat} sent went into deals {first} to {last}.",
  };

  /** What is not proved. */
  const GAPS = {
    NO_CHAIN: "The log is older than its chain: nothing shows that it is whole and was not written anew.",
    NO_COMMITMENTS: "Deals {deals}: nobody had committed to them before they were dealt.",
    NO_DEALS: "No deal can be checked.",
    NOT_OVER: "The match is not over by this file: what follows is not checked.",
    NOT_REVEALED: "Deals {deals}: the seed is not told yet.",
    NO_SEEDS: "Deals {first} to {last}: no seat added a seed and no beacon was to come, so their maker may have tried out decks before he committed.",
    BEACON_KNOWN: "Deals from {first} on were committed to when the beacon was known or could be: there only the seats' seeds bind.",
    BEACON_UNTIMED: "The settings do not tell from when on the beacon may be public: that the seeds came before is not shown.",
    BEACON_NOT_COMPARED: "The beacon was not compared with its public source: that it is the value of “{name}” is the word of the server.",
    LOSERS_UNSHOWN: "That {losing} lost the match before, and so one of them deals first, is the word of the server: this log alone cannot show it.",
    NO_PINS: "No chain value that a player noted was compared: a log that was written anew as a whole is not noticed.",
    PINS_BEYOND: "{count} chain values were noted behind the end of this file, and were not compared.",
    NO_OWN_SEED: "No seed that a player sent is known to have gone into these deals: whose the seeds are is the word of the server.",
    OWN_SEED_UNPINNED: "Deals {first} to {last}: no chain value of entries {since} to {until} was compared, so nothing shows that they were committed to before {seat} sent a seed for them.",
    OWN_SEED_ELSEWHERE: "Deals {first} to {last}: none of the seeds that are said to be of {seat} went into them.",
    OWN_SEED_UNUSED: "The seed that {seat} sent for deals {first} to {last} binds nothing: none of them began.",
    UNKNOWN_EVENTS: "{count} events are of a later version than this verifier, and were passed over.",
    RULES: "Whether calls, cards and scores follow the rules is not judged here.",
  };

  /** The verdict in a line. */
  const TITLES = {
    verified: "VERIFIED: the deals are what was committed to, and nobody changed a card.",
    refused: "REFUSED: this log does not hold together.",
    unreadable: "UNREADABLE: nothing could be checked.",
    unproved: "NOT PROVABLE: nothing is refuted, but the log does not hold what would prove it.",
  };

  /** Why a proof is not accepted: a verdict, and no fault of the program. */
  class Failed extends Error {
    constructor(code, facts) {
      super(code);
      this.code = code;
      this.facts = facts;
    }
  }

  function fail(code, facts) {
    throw new Failed(code, facts);
  }

  function filled(text, facts) {
    return text.replace(/\{(\w+)\}/g, (_, name) => listed(facts[name]));
  }

  function listed(value) {
    return Array.isArray(value) ? value.join(", ") || "none" : String(value);
  }

  /** A sentence with its code and what it is about. */
  function told(texts, code, facts = {}) {
    const kept = ([name, value]) => [name, typeof value === "string" ? shown(value) : value];
    const safe = Object.fromEntries(Object.entries(facts).map(kept));
    return { code, sentence: filled(texts[code], safe), ...safe };
  }

  /** All but the signs of Latin, Greek, Cyrillic and Arabic, without the backslash and the quotation marks used here. */
  const UNSHOWN = new RegExp(
    "[^ -\\[\\]-~\\u00a1-\\u00aa\\u00ac\\u00ae-\\u00ba\\u00bc-\\u024f\\u0370-\\u0482\\u048a-\\u052f" +
      "\\u060c\\u061b\\u061f-\\u063a\\u0641-\\u0655\\u0660-\\u066d\\u0671-\\u06d3\\u06f0-\\u06fc]",
    "gu",
  );
  const LONGEST = 100;

  /** A text of the log as it may be shown: no sign in it moves, hides or turns what stands around it. */
  function shown(text) {
    const signs = [...text];
    const cut = signs.length <= LONGEST ? text : signs.slice(0, LONGEST).join("") + "...";
    return cut.replace(UNSHOWN, (sign) => `\\u{${sign.codePointAt(0).toString(16)}}`);
  }

  /** A moment in microseconds since 1970 as a date and a time in UTC. */
  function moment(micros) {
    const at = new Date(Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19);
    return `${at}.${String(micros % 1e6).padStart(6, "0")}Z`;
  }

  // Bytes and hashes. They are made here, since a page that was opened from a file may be given no others.

  function joined(...parts) {
    const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  const ascii = (text) => Uint8Array.from(text, (sign) => sign.charCodeAt(0));
  const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const same = (one, other) => one.length === other.length && one.every((byte, n) => byte === other[n]);

  function numberBytes(value, length) {
    const bytes = new Uint8Array(length);
    for (let n = length - 1, rest = value; n >= 0; n -= 1) {
      bytes[n] = rest % 256;
      rest = Math.floor(rest / 256);
    }
    return bytes;
  }

  const u32 = (value) => numberBytes(value, 4);

  /** The first 32 bits after the point of the square (2) or cube (3) roots of the first primes. */
  function rootsOfPrimes(count, power) {
    const found = [];
    for (let candidate = 2; found.length < count; candidate += 1) {
      let prime = true;
      for (let n = 2; n * n <= candidate && prime; n += 1) prime = candidate % n !== 0;
      if (prime) found.push(fraction(BigInt(candidate), power));
    }
    return Uint32Array.from(found);
  }

  function fraction(value, power) {
    const wanted = value << BigInt(32 * power);
    let root = 0n;
    for (let bit = 1n << 40n; bit; bit >>= 1n) {
      if ((root + bit) ** BigInt(power) <= wanted) root += bit;
    }
    return Number(root & 0xffffffffn);
  }

  const START = rootsOfPrimes(8, 2);
  const ROUNDS = rootsOfPrimes(64, 3);
  const words = new Uint32Array(64);
  const turned = (word, by) => (word >>> by) | (word << (32 - by));

  function sha256(message) {
    const state = Uint32Array.from(START);
    const padded = new Uint8Array((((message.length + 8) >> 6) + 1) << 6);
    padded.set(message);
    padded[message.length] = 128;
    padded.set(numberBytes(message.length * 8, 8), padded.length - 8);
    const view = new DataView(padded.buffer);
    for (let at = 0; at < padded.length; at += 64) compress(state, view, at);
    return joined(...Array.from(state, u32));
  }

  function compress(state, view, at) {
    for (let n = 0; n < 16; n += 1) words[n] = view.getUint32(at + 4 * n);
    for (let n = 16; n < 64; n += 1) {
      const [early, late] = [words[n - 15], words[n - 2]];
      const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[n] = words[n - 16] + first + words[n - 7] + second;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let n = 0; n < 64; n += 1) {
      const mixed = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const one = (h + mixed + ((e & f) ^ (~e & g)) + ROUNDS[n] + words[n]) | 0;
      const other = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + other) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, n) => {
      state[n] += word;
    });
  }

  /** HMAC-SHA-256, for keys of up to 64 bytes. */
  function keyed(key, text) {
    const block = new Uint8Array(64);
    block.set(key);
    const inner = sha256(joined(block.map((byte) => byte ^ 0x36), text));
    return sha256(joined(block.map((byte) => byte ^ 0x5c), inner));
  }

  // The recipe of a deal.

  const placeOf = (match, number, redeal = 0) => joined(match, u32(number), u32(redeal));
  const commitmentOf = (seed, place) => sha256(joined(ascii("baloot/commit/v1\0"), place, seed));

  function handKeyOf(seed, place, seats, beacon) {
    return keyed(seed, joined(ascii("baloot/deal/v1\0"), place, ...seats, beacon));
  }

  /** The deck, and how many bytes of the stream were read for it. */
  function shuffled(key) {
    const deck = Array.from({ length: 32 }, (_, card) => card);
    let [stream, read] = [new Uint8Array(0), 0];
    for (let last = 31; last > 0; last -= 1) {
      let byte = 256;
      while (byte >= 256 - (256 % (last + 1))) {
        if (read === stream.length) stream = joined(stream, keyed(key, joined(ascii("stream\0"), u32(read / 32))));
        byte = stream[read];
        read += 1;
      }
      const chosen = byte % (last + 1);
      [deck[last], deck[chosen]] = [deck[chosen], deck[last]];
    }
    return { deck, read };
  }

  function leafOf(key, place, position, card) {
    const salt = keyed(key, joined(ascii("salt\0"), [position])).slice(0, 16);
    return sha256(joined([0], place, [position, card], salt));
  }

  function rootOf(key, place, deck) {
    let level = deck.map((card, position) => leafOf(key, place, position, card));
    while (level.length > 1) {
      const pairs = level.filter((_, n) => n % 2 === 0);
      level = pairs.map((left, n) => sha256(joined([1], left, level[2 * n + 1])));
    }
    return level[0];
  }

  /** Who deals first, 1 to 4: any seat, or one of the side `losers` (1 or 2) where that deals. */
  function lotOf(key, match, losers) {
    const drawn = keyed(key, joined(ascii("baloot/dealer/v1\0"), match))[0];
    return losers ? losers + (drawn % 2) * 2 : 1 + (drawn % 4);
  }

  /** The deck as it is dealt after a cut. */
  function cutDeck(deck, cut, commitment) {
    const part = (from, to) => deck.slice(from, to);
    if (cut === 2) {
      const depth = 1 + (commitment[0] % 31);
      return [...part(depth), ...part(0, depth)];
    }
    if (cut === 4) return [...part(1, 21), deck[0], ...part(21)];
    if (cut === 5) return [...part(29), ...part(0, 29)];
    if (cut === 6) return [...part(0, 6), ...part(29), ...part(6, 29)];
    return cut === 7 ? [...part(3, 9), ...part(0, 3), ...part(9)] : deck;
  }

  /** The hands of the seats 1 to 4: the first five cards, and all eight where somebody takes the up card. */
  function handsOf(deck, dealer, taker) {
    const hands = {};
    let at = 21;
    for (let n = 0; n < 4; n += 1) {
      const seat = ((dealer + n) % 4) + 1;
      hands[seat] = [...deck.slice(3 * n, 3 * n + 3), ...deck.slice(12 + 2 * n, 14 + 2 * n)];
      if (taker) {
        const count = seat === taker ? 2 : 3;
        hands[seat].push(...deck.slice(at, at + count), ...(seat === taker ? [deck[20]] : []));
        at += count;
      }
    }
    return hands;
  }

  // Messages in protobuf's wire format.

  const isBytes = (value) => value instanceof Uint8Array;

  /** The values of each field, by its number. `name` says where it stands. */
  class Message {
    constructor(data, name) {
      this.name = name;
      this.values = new Map();
      let at = 0;
      while (at < data.length) {
        let key, value;
        [key, at] = this.varint(data, at);
        this.require(key >= 8 && key < 2 ** 32);
        [value, at] = this.value(data, at, key % 8);
        const field = Math.floor(key / 8);
        this.values.set(field, [...(this.values.get(field) ?? []), value]);
      }
    }

    require(holds) {
      if (!holds) fail("UNREADABLE", { what: this.name });
    }

    varint(data, at) {
      let value = 0;
      for (let n = 0; n < 10; n += 1) {
        this.require(at + n < data.length);
        value += (data[at + n] & 127) * 2 ** (7 * n);
        if (data[at + n] < 128) return [value, at + n + 1];
      }
      return fail("UNREADABLE", { what: this.name });
    }

    value(data, at, kind) {
      this.require([0, 1, 2, 5].includes(kind));
      if (kind === 0) return this.varint(data, at);
      const [length, from] = kind === 2 ? this.varint(data, at) : [kind === 1 ? 8 : 4, at];
      this.require(length <= data.length - from);
      return [data.subarray(from, from + length), from + length];
    }

    all(field) {
      return this.values.get(field) ?? [];
    }

    number(field, end = 2 ** 31) {
      const values = this.all(field);
      this.require(values.length < 2 && !values.some(isBytes) && (values[0] ?? 0) < end);
      return values[0] ?? 0;
    }

    /** A `google.protobuf.Timestamp` in microseconds since 1970; null where it is unset. */
    moment(field) {
      if (!this.values.has(field)) return null;
      const told = this.message(field);
      return told.number(1, 2 ** 33) * 1e6 + Math.floor(told.number(2, 1e9) / 1000);
    }

    data(field) {
      const values = this.all(field);
      this.require(values.length < 2 && values.every(isBytes));
      return values[0] ?? new Uint8Array(0);
    }

    seat(field) {
      const seat = this.number(field);
      this.require(seat >= 1 && seat <= 4);
      return seat;
    }

    message(field) {
      return new Message(this.data(field), this.name);
    }

    allData(field) {
      this.require(this.all(field).every(isBytes));
      return this.all(field);
    }

    messages(field) {
      return this.allData(field).map((data) => new Message(data, this.name));
    }

    /** Cards as 0 to 31, and -1 for none; they may be packed into one value. */
    cards(field) {
      const found = [];
      for (const value of this.all(field)) {
        if (!isBytes(value)) found.push(value - 1);
        for (let at = 0, card; isBytes(value) && at < value.length; ) {
          [card, at] = this.varint(value, at);
          found.push(card - 1);
        }
      }
      return found;
    }
  }

  // The file: entries that are numbered without a gap, and the chain that binds them.

  function requireForm(holds, what) {
    if (!holds) fail("UNREADABLE", { what });
  }

  const matches = (pattern, value) => typeof value === "string" && pattern.test(value);
  const whole = (value, lowest, highest) => Number.isInteger(value) && lowest <= value && value <= highest;
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
  const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

  /** The match, whether the log is complete, and its entries. */
  function opened(proof) {
    requireForm(isObject(proof) && proof.format === FORMAT, "its format");
    requireForm(matches(/^[0-9a-f]{32}$/, proof.match), "the match");
    requireForm(typeof proof.complete === "boolean", "the mark whether it is complete");
    requireForm(Array.isArray(proof.entries) && proof.entries.length, "the list of entries");
    const entries = proof.entries.map((entry, n) => entryOf(entry, `entry ${n + 1}`));
    return { match: fromHex(proof.match), complete: proof.complete, entries };
  }

  function entryOf(entry, what) {
    requireForm(isObject(entry), what);
    requireForm(whole(entry.n, 1, 2 ** 31 - 1) && whole(entry.at, 0, 2 ** 53 - 1), what);
    requireForm(whole(entry.actor, 0, 4) && typeof entry.by_default === "boolean", what);
    requireForm(matches(BASE64, entry.payload) && matches(/^[0-9a-f]{64}$/, entry.secret), what);
    requireForm(matches(/^(?:[0-9a-f]{64})?$/, entry.chain), what);
    const [payload, secret, chain] = [ascii(atob(entry.payload)), fromHex(entry.secret), fromHex(entry.chain)];
    return { sequence: entry.n, at: entry.at, actor: entry.actor, byDefault: entry.by_default, payload, secret, chain };
  }

  /** The chain value of an entry, after the one before. */
  function link(before, match, entry) {
    const head = joined(before, match, u32(entry.sequence), numberBytes(entry.at, 8));
    const acted = [entry.actor, entry.byDefault ? 1 : 0];
    return sha256(joined(ascii("baloot/chain/v1\0"), head, acted, sha256(entry.payload), entry.secret));
  }

  /** Whether there is a chain; a log that begins without one has none at all. */
  function checkChain(match, entries) {
    const chained = entries[0].chain.length > 0;
    let before = NOTHING;
    entries.forEach((entry, n) => {
      const expected = n + 1;
      if (entry.sequence !== expected) fail("ENTRY_MISSING", { entry: entry.sequence, expected });
      before = chained ? link(before, match, entry) : new Uint8Array(0);
      if (!same(entry.chain, before)) fail("CHAIN_WRONG", { entry: expected });
    });
    return chained;
  }

  /** How many of the chain values that were noted stand in the log; those behind its end are not compared. */
  function checkPins(entries, pins, complete) {
    let compared = 0;
    for (const [sequence, chain] of pins) {
      const inside = sequence >= 1 && sequence <= entries.length;
      const differs = inside && hexOf(entries[sequence - 1].chain) !== chain.toLowerCase();
      if (differs || (complete && !inside)) fail("PIN_WRONG", { entry: sequence });
      compared += inside ? 1 : 0;
    }
    return compared;
  }

  // The walk through the log: what was committed to, added, dealt and revealed, and in which order.

  /** All that the entries tell of the deals. Throws Failed where the order is broken. */
  class Log {
    constructor(chained) {
      this.chained = chained;
      this.commitments = new Map();
      this.blocks = [];
      this.deals = [];
      Object.assign(this, { beaconName: "", beacon: new Uint8Array(0), committedBeforeBeacon: 0 });
      Object.assign(this, { beaconTime: null, beaconGivenIn: null });
      Object.assign(this, { losers: 0, kaweshRotates: false });
      Object.assign(this, { createdBefore: false, started: false, ended: false });
      Object.assign(this, { unknown: 0, entry: 0, at: 0 });
    }

    read(entry) {
      [this.entry, this.at] = [entry.sequence, entry.at];
      const payload = new Message(entry.payload, `the payload of entry ${entry.sequence}`);
      const events = payload.messages(1).map(eventOf);
      if ((entry.sequence === 1) !== (events[0]?.[0] === 1)) fail("BEGIN_WRONG", { entry: entry.sequence });
      for (const [number, event] of events) {
        HANDLERS[number]?.call(this, event);
        this.unknown += number > NEWEST_EVENT ? 1 : 0;
      }
      this.requireRevealed();
    }

    get last() {
      return this.deals[this.deals.length - 1];
    }

    created(event) {
      if (this.createdBefore) fail("BEGIN_WRONG", { entry: this.entry });
      this.createdBefore = true;
      const settings = event.message(1);
      const rules = settings.message(1);
      this.losers = rules.number(2) === 2 ? settings.number(7) : 0;
      requireForm(this.losers <= 2, event.name);
      this.kaweshRotates = rules.number(19) === 2;
      this.beaconName = new TextDecoder("utf-8", { ignoreBOM: true }).decode(settings.data(12));
      this.beaconTime = this.beaconName ? settings.moment(13) : null;
    }

    committed(event) {
      const [first, commitments] = [event.number(1), event.allData(2)];
      if (first <= this.deals.length) fail("COMMITMENT_LATE", { entry: this.entry, deal: first });
      const expected = (this.blocks.at(-1)?.last ?? this.deals.length) + 1;
      if (first !== expected || !commitments.length || commitments.some((each) => each.length !== 32)) {
        fail("BLOCK_WRONG", { entry: this.entry, deal: first, expected });
      }
      const made = { entry: this.entry, at: this.at, seeds: new Map(), added: new Map(), begun: false };
      this.blocks.push({ first, last: first + commitments.length - 1, ...made });
      commitments.forEach((commitment, n) => this.commitments.set(first + n, commitment));
    }

    seatTaken(event) {
      if (event.data(4).length) this.addSeed(event.seat(1), 1, event.data(4));
    }

    /** A seat that is left frees its seed only before the match: then no deal has begun. */
    seatLeft(event) {
      if (!this.started && this.blocks.length) this.blocks[0].seeds.delete(event.seat(1));
    }

    seedAdded(event) {
      this.addSeed(event.seat(1), event.number(2), event.data(3));
    }

    addSeed(seat, first, seed) {
      const about = { entry: this.entry, seat: SEATS[seat - 1] };
      const block = this.blocks.find((each) => each.first === first);
      if (!block) fail("SEED_EARLY", about);
      if (block.begun || block.last <= this.committedBeforeBeacon) fail("SEED_LATE", about);
      if (this.mayBePublic() && !this.beacon.length) fail("SEED_AFTER_TIME", about);
      if (block.seeds.has(seat)) fail("SEED_TWICE", about);
      if (seed.length !== 32) fail("SEED_UNFIT", about);
      block.seeds.set(seat, seed);
      block.added.set(seat, { entry: this.entry, at: this.at });
    }

    mayBePublic() {
      return this.beaconTime !== null && this.at >= this.beaconTime;
    }

    /** Whether whoever committed to a block may have known the beacon. */
    knewBeacon(block) {
      const open = this.beaconTime !== null && block.at >= this.beaconTime;
      return this.beacon.length > 0 && (open || block.first > this.committedBeforeBeacon);
    }

    matchStarted() {
      this.started = true;
    }

    beaconGiven(event) {
      const value = event.data(1);
      if (!this.beaconName || this.beacon.length || this.deals.length || value.length !== 32) {
        fail("BEACON_UNEXPECTED", { entry: this.entry });
      }
      if (!this.blocks.length) fail("BEACON_EARLY", { entry: this.entry });
      if (this.beaconTime !== null && !this.mayBePublic()) fail("BEACON_BEFORE_TIME", { entry: this.entry });
      this.beacon = value;
      this.beaconGivenIn = { entry: this.entry, at: this.at };
      this.committedBeforeBeacon = this.blocks.at(-1).last;
    }

    roundOpened(event) {
      this.begin(event.number(1), event.seat(2), event.data(3));
    }

    dealt(event) {
      const [number, dealer, commitment, cut] = [event.number(1), event.seat(2), event.data(5), event.number(7)];
      const waiting = this.deals.length > 0 && !this.last.dealt ? this.last : null;
      if ((waiting === null) !== (cut === 0) || cut > LAST_CUT) fail("CUT_WRONG", { entry: this.entry, deal: number });
      if (waiting && cut === 3) waiting.end = "reshuffled";
      if (!waiting || cut === 3) this.begin(number, dealer, commitment);
      const deal = this.last;
      if (number !== deal.number || dealer !== deal.dealer || !same(commitment, deal.commitment)) {
        fail("CUT_WRONG", { entry: this.entry, deal: number });
      }
      Object.assign(deal, { dealt: true, root: event.data(6), upCard: event.number(3) - 1, cut });
    }

    begin(number, dealer, commitment) {
      const about = { entry: this.entry, deal: number };
      const next = this.deals.length + 1;
      if (this.ended) fail("AFTER_END", about);
      if (!this.started) fail("DEAL_EARLY", about);
      if (this.deals.length && !this.last.end) {
        fail("DEAL_UNFINISHED", { entry: this.entry, deal: this.deals.length });
      }
      if (number !== next) fail("NUMBER_WRONG", { ...about, expected: next });
      const block = this.blocks.find((each) => each.first <= number && number <= each.last) ?? null;
      this.requireCommitment(about, this.commitments.get(number), commitment);
      if (this.beaconName && !this.beacon.length) fail("BEACON_MISSING", about);
      this.requireDealer(about, dealer);
      if (block) block.begun = true;
      const unseen = { dealt: false, root: new Uint8Array(0), upCard: -1, cut: 0, settled: false, taker: 0 };
      this.deals.push({ number, dealer, commitment, block, ...unseen, end: "", seed: null, sights: [] });
    }

    requireCommitment(about, made, shown) {
      if (!made && (this.chained || this.blocks.length)) fail("COMMITMENT_MISSING", about);
      if (made && !same(made, shown)) fail("COMMITMENT_WRONG", about);
    }

    requireDealer(about, dealer) {
      if (!this.deals.length) return;
      const last = this.last;
      const again = last.end === "reshuffled" || (last.end === "kawesh" && !this.kaweshRotates);
      const expected = again ? last.dealer : (last.dealer % 4) + 1;
      if (dealer === expected) return;
      fail("DEALER_WRONG", { ...about, seat: SEATS[dealer - 1], expected: SEATS[expected - 1] });
    }

    /** The deal that is on; an event of a deal where none is on is out of its place. */
    current() {
      if (!this.deals.length || this.last.end || !this.last.dealt) fail("EVENT_MISPLACED", { entry: this.entry });
      return this.last;
    }

    void(event) {
      const [deal, hands] = [this.current(), event.messages(2).map((hand) => hand.cards(1))];
      const about = { entry: this.entry, deal: deal.number };
      if (deal.settled) fail("VOID_WRONG", about);
      const caller = event.number(1) ? event.seat(1) : 0;
      if (caller && !hands[caller - 1]?.length) fail("KAWESH_UNSHOWN", { ...about, seat: SEATS[caller - 1] });
      deal.end = caller ? "kawesh" : "thrown_in";
      hands.forEach((cards, n) => this.see("HAND_WRONG", n + 1, cards));
    }

    settled() {
      this.current().settled = true;
    }

    playStarted(event) {
      this.settled();
      this.current().taker = event.message(1).seat(4);
    }

    cardPlayed(event) {
      this.see("CARD_WRONG", event.seat(1), [event.number(2) - 1]);
      for (const project of event.messages(3)) this.see("PROJECT_WRONG", event.seat(1), project.cards(2));
    }

    trickWon(event) {
      const trick = event.message(1);
      this.see("TRICK_WRONG", trick.seat(1), trick.cards(2));
    }

    projectsShown(event) {
      for (const shown of event.messages(1)) this.see("PROJECT_WRONG", shown.seat(1), shown.message(2).cards(2));
    }

    sawaClaimed(event) {
      this.see("SAWA_WRONG", event.seat(1), event.cards(3));
    }

    see(code, seat, cards) {
      requireForm(seat >= 1 && seat <= 4, `the payload of entry ${this.entry}`);
      if (!this.deals.length || !this.last.dealt) fail("EVENT_MISPLACED", { entry: this.entry });
      if (cards.length) this.last.sights.push({ code, entry: this.entry, seat, cards });
    }

    scored() {
      this.current().end = "played";
    }

    over() {
      this.ended = true;
    }

    revealed(event) {
      event.allData(2).forEach((seed, n) => this.reveal(event.number(1) + n, seed));
    }

    reveal(number, seed) {
      const expected = this.deals.find((deal) => !deal.seed)?.number ?? this.deals.length + 1;
      const skips = !this.chained && !this.commitments.has(expected);
      const deal = this.deals[number - 1];
      if (!deal || deal.seed || seed.length !== 32 || (number !== expected && !skips)) {
        fail("REVEAL_WRONG", { entry: this.entry, deal: number, expected });
      }
      if (!deal.end && !this.ended) fail("REVEAL_EARLY", { entry: this.entry, deal: number });
      deal.seed = seed;
    }

    /** All deals before the last one, and that one too once it is scored or the match is over. */
    requireRevealed() {
      for (const deal of this.deals) {
        const due = deal !== this.last || deal.end === "played" || this.ended;
        if (due && !deal.seed && deal.block) fail("REVEAL_MISSING", { entry: this.entry, deal: deal.number });
      }
    }
  }

  function eventOf(message) {
    requireForm(message.values.size === 1, message.name);
    const [number] = message.values.keys();
    return [number, message.message(number)];
  }

  /** What each event tells; the others up to NEWEST_EVENT tell nothing of the deals. */
  const tells = Log.prototype;
  const HANDLERS = {
    1: tells.created,
    2: tells.seatTaken,
    3: tells.seatLeft,
    4: tells.matchStarted,
    5: tells.dealt,
    9: tells.settled,
    10: tells.void,
    11: tells.playStarted,
    12: tells.cardPlayed,
    13: tells.trickWon,
    15: tells.projectsShown,
    16: tells.sawaClaimed,
    17: tells.scored,
    18: tells.over,
    19: tells.over,
    20: tells.roundOpened,
    29: tells.over,
    30: tells.committed,
    31: tells.seedAdded,
    32: tells.beaconGiven,
    33: tells.revealed,
  };

  // The deals themselves, once their seeds are told.

  function checkDeal(match, log, deal) {
    const place = placeOf(match, deal.number);
    if (!same(commitmentOf(deal.seed, place), deal.commitment)) fail("SEED_WRONG", { deal: deal.number });
    const seats = [1, 2, 3, 4].map((seat) => deal.block?.seeds.get(seat) ?? NOTHING);
    const key = handKeyOf(deal.seed, place, seats, log.beacon);
    const { deck } = shuffled(key);
    if (deal.dealt && !same(rootOf(key, place, deck), deal.root)) fail("ROOT_WRONG", { deal: deal.number });
    const lot = lotOf(key, match, log.losers);
    if (deal.number === 1 && deal.block && lot !== deal.dealer) {
      fail("LOT_WRONG", { seat: SEATS[deal.dealer - 1], expected: SEATS[lot - 1] });
    }
    if (deal.dealt) checkCards(deal, cutDeck(deck, deal.cut, deal.commitment));
  }

  /** Everything that was seen of the cards against the deck as it was dealt. */
  function checkCards(deal, deck) {
    if (deal.upCard !== deck[20]) fail("UP_CARD_WRONG", { deal: deal.number });
    const [first, hands] = [handsOf(deck, deal.dealer, 0), handsOf(deck, deal.dealer, deal.taker)];
    const played = [];
    for (const { code, entry, seat, cards } of deal.sights) {
      const about = { entry, deal: deal.number, seat: SEATS[seat - 1] };
      const hand = (code === "HAND_WRONG" ? first : hands)[seat];
      const gone = played.map((each) => each.card);
      if (code === "CARD_WRONG" && gone.includes(cards[0])) fail("CARD_TWICE", about);
      if (!SEEN[code](cards, hand, gone, deal.taker)) fail(code, about);
      if (code === "TRICK_WRONG" && played.at(-4).seat !== seat) fail(code, about);
      if (code === "CARD_WRONG") played.push({ seat, card: cards[0] });
    }
  }

  const sorted = (cards) => [...cards].sort((one, other) => one - other);

  /** Whether cards that were seen can be right: with the hand as it was dealt, and the cards played before. */
  const SEEN = {
    HAND_WRONG: (cards, hand) => same(sorted(cards), sorted(hand)),
    CARD_WRONG: (cards, hand, gone, taker) => taker > 0 && hand.includes(cards[0]),
    TRICK_WRONG: (cards, hand, gone) => cards.length === 4 && same(cards, gone.slice(-4)),
    PROJECT_WRONG: (cards, hand) => cards.every((card) => hand.includes(card)),
    SAWA_WRONG: (cards, hand, gone) => same(sorted(cards), sorted(hand.filter((card) => !gone.includes(card)))),
  };

  // The verdict.

  /**
   * What is found out about a proof. `pins` are pairs of a sequence number and a chain value, `seeds` pairs of a seat
   * (1 to 4) and a seed, and `beacon` is the value that was looked up; all in hexadecimal.
   */
  function verify(proof, pins = [], seeds = [], beacon = "") {
    try {
      return accepted(proof, notedBy(pins, seeds, beacon.toLowerCase()));
    } catch (failed) {
      if (!(failed instanceof Failed)) throw failed;
      const verdict = failed.code === "UNREADABLE" ? "unreadable" : "refused";
      return { verdict, ...told(REASONS, failed.code, failed.facts), facts: [], gaps: [] };
    }
  }

  /** What players noted while they played, and what was looked up. */
  function notedBy(pins, seeds, beacon) {
    const known = new Set(seeds.map(([seat, seed]) => `${seat} ${seed.toLowerCase()}`));
    const seats = [1, 2, 3, 4].filter((seat) => seeds.some(([each]) => each === seat));
    const sent = (seat, block) => known.has(`${seat} ${hexOf(block.seeds.get(seat) ?? [])}`);
    return { pins, seeds, beacon, seats, sent };
  }

  function accepted(proof, noted) {
    const { match, complete, entries } = opened(proof);
    const chained = checkChain(match, entries);
    const pinned = checkPins(entries, noted.pins, complete);
    const log = new Log(chained);
    for (const entry of entries) log.read(entry);
    if (complete && !log.ended) fail("END_MISSING", {});
    checkNoted(log, noted);
    const checked = log.deals.filter((deal) => deal.seed);
    for (const deal of checked) checkDeal(match, log, deal);
    const gaps = gapsOf(log, checked, pinned, noted, complete);
    const unproved = gaps.some(({ code }) => ["NO_CHAIN", "NO_COMMITMENTS", "NO_DEALS"].includes(code));
    const facts = factsOf(log, checked, pinned, noted);
    return { verdict: unproved ? "unproved" : "verified", code: "", sentence: "", facts, gaps };
  }

  function checkNoted(log, noted) {
    for (const [seat, seed] of noted.seeds) {
      const added = log.blocks.some((block) => hexOf(block.seeds.get(seat) ?? []) === seed.toLowerCase());
      if (!added) fail("OWN_SEED_MISSING", { seat: SEATS[seat - 1] });
    }
    if (noted.beacon && !log.beaconName) fail("BEACON_ABSENT", {});
    const value = hexOf(log.beacon);
    if (noted.beacon && value && noted.beacon !== value) fail("BEACON_WRONG", { value });
  }

  function factsOf(log, checked, pinned, noted) {
    const facts = [];
    const fact = (code, about) => facts.push(told(FACTS, code, about));
    const ended = (end) => checked.filter((deal) => deal.end === end).length;
    if (checked.length) {
      const ends = { played: ended("played"), thrown_in: ended("thrown_in"), kawesh: ended("kawesh") };
      fact("CHECKED", { deals: checked.length, ...ends, reshuffled: ended("reshuffled"), broken_off: ended("") });
    }
    for (const { first, last, seeds } of log.blocks.filter((block) => block.begun)) {
      const added = SEATS.filter((_, n) => seeds.has(n + 1));
      const absent = SEATS.filter((_, n) => !seeds.has(n + 1));
      fact("SEEDS", { first, last, added, absent });
    }
    if (log.beacon.length) beaconFacts(log, noted, fact);
    if (pinned) fact("PINS", { count: pinned });
    for (const [seat, block] of ownSeeds(log, noted)) {
      fact("OWN_SEED", { seat: SEATS[seat - 1], first: block.first, last: Math.min(block.last, log.deals.length) });
    }
    return facts;
  }

  function beaconFacts(log, noted, fact) {
    const { entry, at } = log.beaconGivenIn;
    const last = log.committedBeforeBeacon;
    fact("BEACON", { entry, at: moment(at), last, value: hexOf(log.beacon), name: log.beaconName });
    const before = log.blocks.filter((block) => block.first <= last);
    const added = before.flatMap((block) => [...block.seeds.keys()].map((seat) => block.added.get(seat).at));
    if (added.length) fact("BEACON_SEEDS", { at: moment(Math.max(...added)) });
    if (log.beaconTime !== null) fact("BEACON_TIME", { at: moment(log.beaconTime) });
    if (noted.beacon) fact("BEACON_COMPARED");
  }

  /** The seeds that seats sent and that went into deals that began: pairs of a seat and a block. */
  function ownSeeds(log, noted) {
    const begun = log.blocks.filter((block) => block.begun);
    return begun.flatMap((block) => noted.seats.filter((seat) => noted.sent(seat, block)).map((seat) => [seat, block]));
  }

  function gapsOf(log, checked, pinned, noted, complete) {
    const numbers = (deals) => deals.map((deal) => deal.number);
    const uncommitted = numbers(log.deals.filter((deal) => !deal.block));
    const unrevealed = numbers(log.deals.filter((deal) => !deal.seed && deal.block));
    const gaps = [];
    const gap = (holds, code, facts) => holds && gaps.push(told(GAPS, code, facts));
    gap(!log.chained, "NO_CHAIN");
    gap(uncommitted.length, "NO_COMMITMENTS", { deals: uncommitted });
    gap(!checked.length, "NO_DEALS");
    gap(!complete, "NOT_OVER");
    gap(unrevealed.length, "NOT_REVEALED", { deals: unrevealed });
    bindingGaps(log, gap);
    wordGaps(log, noted, gap);
    gap(!pinned, "NO_PINS");
    gap(pinned < noted.pins.length, "PINS_BEYOND", { count: noted.pins.length - pinned });
    ownSeedGaps(log, noted, gap);
    gap(log.unknown, "UNKNOWN_EVENTS", { count: log.unknown });
    gap(true, "RULES");
    return gaps;
  }

  /** Blocks whose commitments alone do not keep their maker from choosing. */
  function bindingGaps(log, gap) {
    for (const block of log.blocks.filter((each) => each.begun)) {
      const known = log.knewBeacon(block);
      const added = [...block.seeds.values()].some((seed) => seed.some(Boolean));
      gap(known, "BEACON_KNOWN", { first: block.first });
      gap(!added && (known || !log.beacon.length), "NO_SEEDS", { first: block.first, last: block.last });
    }
  }

  /** What is believed of the server: when the beacon was public, what its value is, and who lost the match before. */
  function wordGaps(log, noted, gap) {
    gap(log.beaconName && log.beaconTime === null, "BEACON_UNTIMED");
    gap(log.beaconName && !(log.beacon.length && noted.beacon), "BEACON_NOT_COMPARED", { name: log.beaconName });
    gap(log.losers, "LOSERS_UNSHOWN", { losing: [SEATS[log.losers - 1], SEATS[log.losers + 1]] });
  }

  /** Where what seats sent does not bind the deals, or may have been known when they were committed to. */
  function ownSeedGaps(log, noted, gap) {
    gap(!ownSeeds(log, noted).length, "NO_OWN_SEED");
    for (const block of log.blocks) {
      for (const seat of noted.seats) {
        const code = ownSeedGap(block, seat, noted);
        const about = { seat: SEATS[seat - 1], first: block.first, last: block.last };
        if (code === "OWN_SEED_UNPINNED") {
          Object.assign(about, { since: block.entry, until: block.added.get(seat).entry - 1 });
        }
        gap(code, code, about);
      }
    }
  }

  /** The code of the gap that a seat's seed leaves in a block; empty for none. */
  function ownSeedGap(block, seat, noted) {
    const sent = noted.sent(seat, block);
    if (!block.begun) return sent ? "OWN_SEED_UNUSED" : "";
    if (!sent) return "OWN_SEED_ELSEWHERE";
    const added = block.added.get(seat).entry;
    const pinned = noted.pins.some(([sequence]) => block.entry <= sequence && sequence < added);
    return pinned ? "" : "OWN_SEED_UNPINNED";
  }

  /** The verdict for people to read. */
  function linesOf(report) {
    const lines = [TITLES[report.verdict]];
    if (report.code) lines.push(`${report.code}: ${report.sentence}`);
    lines.push(...report.facts.map((fact) => `  ${fact.sentence}`));
    if (report.gaps.length) lines.push("Not proved by this:", ...report.gaps.map((gap) => `  ${gap.sentence}`));
    return lines;
  }

  // Test vectors.

  const RANKS = ["7", "8", "9", "10", "J", "Q", "K", "A"];

  /** What follows from the seed and the place that a vector gives, in its words. */
  function vectorOf(given) {
    const [match, seed] = [fromHex(given.match), fromHex(given.seed)];
    const place = placeOf(match, given.number, given.redeal);
    const key = handKeyOf(seed, place, given.seats.map(fromHex), fromHex(given.beacon));
    const { deck, read } = shuffled(key);
    return {
      commitment: hexOf(commitmentOf(seed, place)),
      hand_key: hexOf(key),
      bytes_read: read,
      deck: deck.map((card) => RANKS[card % 8] + "SHDC"[Math.floor(card / 8)]).join(" "),
      leaf_0: hexOf(leafOf(key, place, 0, deck[0])),
      root: hexOf(rootOf(key, place, deck)),
      first_dealer: SEATS[lotOf(key, match, 0) - 1],
    };
  }

  /** The vectors that this verifier does not agree with, by name. */
  function wrongVectors(vectors) {
    const agrees = (vector) => Object.entries(vectorOf(vector)).every(([name, value]) => vector[name] === value);
    return vectors.filter((vector) => !agrees(vector)).map((vector) => vector.name);
  }

  // What a person types.

  /** A pin as it is typed. Throws RangeError. */
  function pinOf(text) {
    const found = /^([0-9]{1,9}):([0-9a-fA-F]{64})$/.exec(text);
    if (!found) throw new RangeError(`${text}: a pin is a sequence number, a colon, and 64 hexadecimal digits`);
    return [Number(found[1]), found[2]];
  }

  /** A seat's seed as it is typed. Throws RangeError. */
  function seedOf(text) {
    const found = /^(south|east|north|west)=([0-9a-f]{64})$/.exec(text.toLowerCase());
    if (!found) throw new RangeError(`${text}: a seed is SOUTH, EAST, NORTH or WEST, =, and 64 hexadecimal digits`);
    return [SEATS.findIndex((seat) => seat.toLowerCase() === found[1]) + 1, found[2]];
  }

  /** The value of a beacon as it is typed. Throws RangeError. */
  function beaconOf(text) {
    if (!/^[0-9a-fA-F]{64}$/.test(text)) throw new RangeError(`${text}: the value of a beacon is 64 hexadecimal digits`);
    return text;
  }

  const texts = { REASONS, FACTS, GAPS, TITLES };
  return { EXIT_CODES, SEATS, texts, beaconOf, filled, linesOf, pinOf, seedOf, verify, wrongVectors };
})();

if (typeof module !== "undefined") {
  module.exports = BalootVerifier;
  if (require.main === module) process.exitCode = command(process.argv.slice(2));
}

/** What `node verify.js` does; returns the exit code. */
function command(typed) {
  const fs = require("node:fs");
  const { parseArgs } = require("node:util");
  const many = { type: "string", multiple: true, default: [] };
  const flag = { type: "boolean", default: false };
  try {
    const text = { type: "string" };
    const options = { pin: many, seed: many, beacon: text, json: flag, quiet: flag, vectors: text };
    const { values, positionals } = parseArgs({ args: typed, options, allowPositionals: true });
    if (positionals.length !== (values.vectors ? 0 : 1)) throw new RangeError("name either a proof file or --vectors");
    const read = fs.readFileSync(values.vectors ?? (positionals[0] === "-" ? 0 : positionals[0]), "utf8");
    if (values.vectors) return vectorsChecked(JSON.parse(read));
    const { beaconOf, pinOf, seedOf, verify } = BalootVerifier;
    const beacon = values.beacon === undefined ? "" : beaconOf(values.beacon);
    return printed(verify(parsed(read), values.pin.map(pinOf), values.seed.map(seedOf), beacon), values);
  } catch (error) {
    console.error(`verify.js: ${error.message}`);
    return 2;
  }
}

/** What a file holds; null where it is no JSON. */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function vectorsChecked(vectors) {
  const wrong = BalootVerifier.wrongVectors(vectors);
  console.log(`${vectors.length} vectors, wrong: ${wrong.join(", ") || "none"}`);
  return wrong.length ? 1 : 0;
}

function printed(report, { json, quiet }) {
  if (json) console.log(JSON.stringify(report));
  else if (!quiet) console.log(BalootVerifier.linesOf(report).join("\n"));
  return BalootVerifier.EXIT_CODES[report.verdict];
}
