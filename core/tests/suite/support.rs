//! What the tests share: backends, how much to do, material, comparisons.

use std::sync::OnceLock;

use sha1dc_core::{Backend, CollisionBlock, Digest, DisturbanceVector, Hasher, Mode, Options, Outcome, Sha1};
use sha1dc_core::{inspect, mitigate, plain};
use sha1dc_test_common::conditions;
use sha1dc_test_common::reference::{self, Flags, Report};
use sha1dc_test_common::rng::Rng;

/// One of each published collision, the part that collides. All three go on
/// colliding whatever is appended to both.
pub(crate) const SHAMBLES: [&[u8]; 2] =
    [include_bytes!("../data/sha-mbles-1.bin"), include_bytes!("../data/sha-mbles-2.bin")];
/// The first 320 bytes of the two PDFs: prefix and both near-collision blocks.
pub(crate) const SHATTERED: [&[u8]; 2] =
    [include_bytes!("../data/shattered-1-head.bin"), include_bytes!("../data/shattered-2-head.bin")];
/// Collides only in SHA-1 with fewer steps.
pub(crate) const REDUCED: &[u8] = include_bytes!("../data/sha1_reducedsha_coll.bin");
/// All of them.
pub(crate) const ATTACKS: [&[u8]; 5] = [SHAMBLES[0], SHAMBLES[1], SHATTERED[0], SHATTERED[1], REDUCED];
/// The modes.
pub(crate) const MODES: [Mode; 4] = [Mode::Detect, Mode::Mitigate, Mode::Report, Mode::Plain];

/// The backends to test: all that this machine has.
pub(crate) fn backends() -> Vec<Backend> {
    match std::env::var("SHA1DC_TEST_BACKEND") {
        Ok(name) => vec![Backend::by_name(&name).unwrap_or_else(|| panic!("this machine has no backend {name}"))],
        Err(_) => Backend::available().collect(),
    }
}

/// Whether the long forms were asked for.
pub(crate) fn long() -> bool {
    std::env::var("SHA1DC_TEST_LONG").is_ok_and(|value| value != "0")
}

fn scale() -> f64 {
    match std::env::var("SHA1DC_TEST_SCALE") {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("SHA1DC_TEST_SCALE={text} is no number")),
        Err(_) => 1.0,
    }
}

/// How many random cases to try: `normal` ones, or `extended` in the long form.
pub(crate) fn cases(normal: usize, extended: usize) -> usize {
    let scale = scale();
    let count = if long() { extended } else { normal };
    ((count as f64 * scale) as usize).max(1)
}

/// Leaves a list of cases as it is, but for a share of it on slow machines.
pub(crate) fn all_of<T>(mut list: Vec<T>, rng: &mut Rng) -> Vec<T> {
    let keep = (list.len() as f64 * scale().min(1.0)).ceil() as usize;
    while list.len() > keep {
        let i = rng.below(list.len());
        list.remove(i);
    }
    list
}

/// What a message must give.
#[derive(Clone, Debug)]
pub(crate) struct Expected {
    normal: Outcome,
    reduced: Outcome,
}

impl Expected {
    /// As the references say.
    pub(crate) fn of(message: &[u8]) -> Self {
        let of = |reduced_rounds| outcome(&reference::inspect(message, Flags { reduced_rounds, ubc: true }));
        Self { normal: of(false), reduced: of(true) }
    }

    /// With these options.
    pub(crate) fn with(&self, options: Options) -> Outcome {
        match options {
            Options { mode: Mode::Plain, .. } => {
                Outcome { digest: self.normal.digest, safe_digest: self.normal.digest, collisions: Vec::new() }
            }
            Options { reduced_rounds: true, .. } => self.reduced.clone(),
            _ => self.normal.clone(),
        }
    }
}

/// The reference's report in our words.
pub(crate) fn outcome(report: &Report) -> Outcome {
    let collisions = report.hits.iter().map(|hit| {
        let disturbance_vector = vector(hit.vector);
        let block = CollisionBlock {
            offset: hit.offset,
            disturbance_vector,
            reduced_round: hit.reduced_round,
            block: hit.block,
        };
        assert_eq!(block.partner(), hit.partner);
        block
    });
    Outcome { digest: report.digest.into(), safe_digest: report.safe_digest.into(), collisions: collisions.collect() }
}

/// The vector with this place in the reference's list.
pub(crate) fn vector(index: usize) -> DisturbanceVector {
    DisturbanceVector::all().nth(index).expect("there are 32")
}

/// Every mode, with and without reduced rounds.
pub(crate) fn all_options(backend: Backend) -> impl Iterator<Item = Options> {
    MODES
        .into_iter()
        .flat_map(move |mode| [false, true].map(|reduced_rounds| Options { mode, reduced_rounds, ubc: true, backend }))
}

/// Feeds the pieces to a hasher with these options, watching it on the way.
pub(crate) fn check_pieces(options: Options, pieces: &[&[u8]], expected: &Expected) {
    let expected = expected.with(options);
    let mut hasher = Sha1::new(options);
    let mut fed = 0;
    for piece in pieces {
        hasher.update(piece);
        fed += piece.len() as u64;
        check_so_far(&hasher, fed, &expected);
    }
    assert_eq!(hasher.finish(), expected, "{options:?}, in pieces of {:?}", sizes(pieces));
}

/// A hasher knows all attacks in the complete blocks that it was fed.
pub(crate) fn check_so_far(hasher: &Sha1, fed: u64, expected: &Outcome) {
    let known = expected.collisions.iter().filter(|collision| collision.offset + 64 <= fed).count();
    assert_eq!(hasher.bytes_hashed(), fed);
    assert_eq!(hasher.collisions(), &expected.collisions[..known], "{:?}, after {fed} bytes", hasher.options());
    assert_eq!(hasher.collision_detected(), known > 0);
}

/// The same for the three hashers that have no options.
pub(crate) fn check_hashers(backend: Backend, pieces: &[&[u8]], expected: &Expected) {
    let name = backend.name();
    let Outcome { digest, safe_digest, collisions } = &expected.normal;
    let attacked = !collisions.is_empty();

    let mut hasher = Hasher::on(backend);
    pieces.iter().for_each(|piece| hasher.update(piece));
    match hasher.finalize() {
        Ok(got) => assert!(!attacked && got == *digest, "{name}: {got} for {digest}"),
        Err(got) => assert!(attacked && got.digest() == *digest, "{name}: {got} for {digest}"),
    }
    let mut hasher = mitigate::Hasher::on(backend);
    pieces.iter().for_each(|piece| hasher.update(piece));
    match hasher.finalize() {
        Ok(got) => assert!(!attacked && got == *digest, "{name}: {got} for {digest}"),
        Err(got) => assert!(attacked && got.digest() == *safe_digest, "{name}: {got} for {safe_digest}"),
    }
    let mut hasher = plain::Hasher::on(backend);
    pieces.iter().for_each(|piece| hasher.update(piece));
    assert_eq!(hasher.finalize(), *digest, "{name}");
}

/// A message in one call, in every mode and by every hasher.
pub(crate) fn check_message(backend: Backend, message: &[u8], expected: &Expected) {
    check_hashers(backend, &[message], expected);
    for options in all_options(backend) {
        check_pieces(options, &[message], expected);
        let mode = if options.mode == Mode::Plain { Mode::Report } else { options.mode };
        assert_eq!(inspect(message, options), expected.with(Options { mode, ..options }), "{options:?}");
        let outcome = expected.with(options);
        let safe = options.mode == Mode::Mitigate;
        assert_eq!(outcome.digest_for(options.mode), if safe { outcome.safe_digest } else { outcome.digest });
    }
}

/// The sizes of pieces, to say which they were.
pub(crate) fn sizes(pieces: &[&[u8]]) -> Vec<usize> {
    pieces.iter().map(|piece| piece.len()).collect()
}

/// A digest from its hexadecimal form.
pub(crate) fn hex(text: &str) -> Digest {
    let bytes: [u8; 20] = std::array::from_fn(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).expect("hex"));
    bytes.into()
}

/// Blocks that pass the filter: some for each vector, and some that pass for
/// as many vectors as can be.
pub(crate) fn passing_blocks() -> &'static [[u8; 64]] {
    static BLOCKS: OnceLock<Vec<[u8; 64]>> = OnceLock::new();
    BLOCKS.get_or_init(|| {
        let mut rng = Rng::new(1);
        let most = conditions::most_at_once().1.clone();
        let of_each = (0..32).flat_map(|d| {
            let only = conditions::system(d);
            let (_, many) = conditions::many_at_once(d, &mut Rng::new(d as u64));
            [only, many]
        });
        let systems: Vec<_> = of_each.chain(std::iter::repeat_n(most, 16)).collect();
        systems.iter().flat_map(|system| std::array::from_fn::<_, 4, _>(|_| system.solution(&mut rng))).collect()
    })
}

/// A message of one of the kinds that a filter may treat differently. Now and
/// then it is an attack.
pub(crate) fn material(rng: &mut Rng, len: usize) -> Vec<u8> {
    let mut message = Vec::with_capacity(len + 640);
    if rng.one_in(8) {
        message.extend(*rng.choose(&ATTACKS));
    }
    let blocks = passing_blocks();
    match rng.below(6) {
        0 => message.resize(len.max(message.len()), *rng.choose(&[0, 0xff, b'a'])),
        1 => {
            let block = *rng.choose(blocks);
            message.extend(block.iter().cycle().take(len));
        }
        2 => (0..len.div_ceil(64)).for_each(|_| message.extend(rng.choose(blocks))),
        3 => {
            // Mostly random, some blocks that pass.
            for _ in 0..len.div_ceil(64) {
                message.extend(if rng.one_in(5) { *rng.choose(blocks) } else { rng.block() });
            }
        }
        _ => message.extend(rng.bytes(len)),
    }
    message.truncate(len);
    message
}

/// A length of one of the magnitudes that differ in treatment.
pub(crate) fn length(rng: &mut Rng) -> usize {
    let most = *rng.choose(&[1, 65, 300, 1100, 5000, 20_000]);
    rng.below(most + 1)
}
