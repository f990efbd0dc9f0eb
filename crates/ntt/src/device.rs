//! The number-theoretic transform on an OpenCL device: one launch a pass.

use std::sync::Arc;

use manycore_device::{Buffer, Defines, Device, Kernel, Limits, OpenCl, Word, Words};
use manycore_field::{Arithmetic, ResidueWord};
use manycore_tuning::{Asked, Choice, Operation, Planner, Proof, Watched, proof};

use super::cost::{Arrays, OnDevice, Pass, Plan};
use super::parts::{Parts, Twisting};
use super::tables::{Twist, kernel_roots, root_words, twiddles, words};
use super::{Ntt, NttError, NttField, Way, reversal};

// SAFETY: `launch` alone launches them, on whole transforms, by passes of the planner or without `Pass::fault`, with
// the tables made for each.
manycore_device::kernel! {
    /// The lowest index bits, in contiguous tiles.
    unsafe NTT_TILE in manycore_kernels::ntt::NTT_TILE: ntt_tile

    /// Higher index bits, in columns.
    unsafe NTT_COLUMNS in manycore_kernels::ntt::NTT_COLUMNS: ntt_columns
}

/// What the tables of a pass depend on: its direction, its shape, its parts, and whether they divide by the length.
pub(super) type TableKey = (Way, Pass, Parts, bool);

/// Roots and twists of a pass, on the device.
#[derive(Debug)]
pub(super) struct Tables<W: Word> {
    pub(super) roots: Words<W>,
    pub(super) twiddles: Buffer<W>,
    pub(super) items: Buffer<W>,
    pub(super) registers: Buffer<W>,
}

/// The choice for a shape of arrays, and the passes that are taken of it, in either direction.
#[derive(Debug)]
pub(super) struct Chosen {
    pub(super) choice: Choice<Plan>,
    watched: Arc<Watched<Arc<[Pass]>>>,
}

/// Transforms of an [`Ntt`] on an OpenCL device.
struct Transforms<'a, F: NttField> {
    ntt: &'a Ntt<F>,
    costs: OnDevice,
}

impl<F: NttField> Operation for Transforms<'_, F> {
    type Costs = OnDevice;
    /// Zeros to transform, and the plan that was taken last with its steps and tables: those of one plan at a time are kept.
    type Trial = (Buffer<F::Element>, Option<(Plan, Ntt<F>)>);
    type Error = NttError;

    fn revision(&self) -> u64 {
        crate::REVISION
    }

    fn costs(&self) -> &OnDevice {
        &self.costs
    }

    fn family(&self, arrays: &Arrays) -> String {
        self.costs.key(arrays)
    }

    fn sizes(&self, arrays: &Arrays) -> Vec<usize> {
        vec![1 << arrays.log_len]
    }

    fn arrays(&self, arrays: &Arrays) -> usize {
        arrays.count
    }

    fn trial(&self, arrays: &Arrays) -> Result<Self::Trial, NttError> {
        Ok((self.ntt.device().zeros(arrays.values() as usize)?, None))
    }

    fn try_plan(&self, _: &Arrays, (x, last): &mut Self::Trial, plan: &Plan) -> Result<(), NttError> {
        let (_, ntt) = match last {
            Some(last) if last.0 == *plan => last,
            other => other.insert((plan.clone(), self.ntt.apart())),
        };
        ntt.run(x.into(), Way::Forward, Some(plan))
    }

    /// There and back.
    fn proof(&self, arrays: &Arrays, plan: &Plan) -> Result<Proof, NttError> {
        let arrays = Arrays { count: proof::few(arrays.count, 1 << arrays.log_len), ..*arrays };
        let words = arrays.values();
        if !proof::is_small(words, words.saturating_mul(u64::from(arrays.log_len))) {
            return Ok(Proof::TooLarge);
        }
        let ntt = self.ntt;
        let known = proof::known_below(ntt.field.order(), 1).map(F::Element::from_u64);
        let values: Vec<F::Element> = known.take(words as usize).collect();
        let mut expected = values.clone();
        ntt.on(&proof::host()).run(expected.as_mut_slice().into(), Way::Forward, None)?;
        let (ntt, mut x) = (ntt.apart(), ntt.device().upload(&values)?);
        ntt.run((&mut x).into(), Way::Forward, Some(plan))?;
        let forward = Proof::of_words(&x.download()?, &expected);
        ntt.run((&mut x).into(), Way::Inverse, Some(plan))?;
        Ok(forward.and(Proof::of_words(&x.download()?, &values)))
    }
}

/// A transform: one look-up in a cache and the launches where its shape was transformed before.
pub(super) fn run<F: NttField>(
    ntt: &Ntt<F>,
    cl: &OpenCl,
    x: &mut Buffer<F::Element>,
    arrays: &Arrays,
    way: Way,
    plan: Option<&Plan>,
) -> Result<(), NttError> {
    let passes: Option<Arc<[Pass]>> = match plan {
        Some(plan) => match plan.fault(arrays) {
            None => Some(plan.passes.clone().into()),
            Some(reason) => return Err(NttError::Passes { log_len: arrays.log_len, reason }),
        },
        None => None,
    };
    let steps = ntt.steps(cl, arrays, (way, Part::Whole), passes)?;
    match &steps.watched {
        Some(watched) if !watched.keeps_choice() => {
            let may_take = |passes: &Arc<[Pass]>| Ok(ntt.ask(cl, arrays)?.may_take(&Plan { passes: passes.to_vec() }));
            watched.run_in_place(x, may_take, |passes, x| {
                let steps = ntt.steps(cl, arrays, (way, Part::Whole), Some(Arc::clone(passes)))?;
                by_steps(ntt, cl, x, arrays, way, &steps)
            })
        }
        _ => by_steps(ntt, cl, x, arrays, way, &steps),
    }
}

fn by_steps<F: NttField>(
    ntt: &Ntt<F>,
    cl: &OpenCl,
    x: &mut Buffer<F::Element>,
    arrays: &Arrays,
    way: Way,
    steps: &Steps<F::Element>,
) -> Result<(), NttError> {
    if let Some(kernel) = steps.reversal.as_ref().filter(|_| way == Way::Inverse) {
        reversal::run(cl, kernel, x, arrays.log_len)?;
    }
    steps.launches.iter().try_for_each(|step| launch(ntt, cl, x, arrays.arithmetic, step, &step.tables))?;
    if let Some(kernel) = steps.reversal.as_ref().filter(|_| way == Way::Forward) {
        reversal::run(cl, kernel, x, arrays.log_len)?;
    }
    Ok(())
}

/// Which passes of a transform are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// All.
    Whole,
    /// All but the last of the forward transform, of the lowest index bits.
    Columns,
    /// The passes between the first and the last one.
    Between,
    /// The first of the forward transform, of the highest index bits: the inverse's last.
    Highest,
}

/// The passes of a part, one after the other.
pub(super) fn sweep<F: NttField>(
    ntt: &Ntt<F>,
    cl: &OpenCl,
    x: &mut Buffer<F::Element>,
    arrays: &Arrays,
    (way, part): (Way, Part),
    passes: &Arc<[Pass]>,
) -> Result<(), NttError> {
    let steps = ntt.steps(cl, arrays, (way, part), Some(Arc::clone(passes)))?;
    let taken = |step: &&Step<F::Element>| {
        let is = |end: Option<&Pass>| end == Some(&step.pass);
        match part {
            Part::Whole => true,
            Part::Columns => !is(passes.last()),
            Part::Between => !is(passes.last()) && !is(passes.first()),
            Part::Highest => is(passes.first()),
        }
    };
    steps.launches.iter().filter(taken).try_for_each(|step| launch(ntt, cl, x, arrays.arithmetic, step, &step.tables))
}

/// One cyclic transform, by a negacyclic `ntt` of this length, of value `j` times `base^j`: of remainders modulo `x^len - base^len`. The
/// inverse, by the base's inverse.
pub(super) fn twisted<F: NttField>(
    ntt: &Ntt<F>,
    cl: &OpenCl,
    x: &mut Buffer<F::Element>,
    way: Way,
    base: F::Element,
) -> Result<(), NttError> {
    let arrays = ntt.arrays(x.len())?;
    let steps = ntt.steps(cl, &arrays, (way, Part::Whole), None)?;
    // The pass that would twist by powers of the negacyclic root.
    let twists = if way == Way::Forward { 0 } else { steps.launches.len() - 1 };
    let pass = &steps.launches[twists].pass;
    let own = ntt.made_tables(pass, &arrays, Parts::first(&arrays), way, way == Way::Inverse, Some(base))?;
    steps.launches.iter().enumerate().try_for_each(|(i, step)| {
        let tables = if i == twists { &own } else { &*step.tables };
        launch(ntt, cl, x, arrays.arithmetic, step, tables)
    })
}

/// The pass whose twists take the inverse's division by the length: the last of its passes that has any.
pub(super) fn scaled(passes: &[Pass], arrays: &Arrays) -> Option<usize> {
    passes.iter().position(|pass| pass.twists(arrays))
}

/// The number of registers of the first pass whose values stay in the device's cache while the passes go over a longer array: as many as
/// 128 KB a compute unit hold. On an H200 12 to 16 of 64 MB take 4 % off a transform.
fn kept(cl: &OpenCl, passes: &[Pass], arrays: &Arrays, word_bytes: usize) -> u32 {
    const KEPT_BYTES: u64 = 128 << 10;
    let Some(first @ Pass::Columns { .. }) = passes.first() else { return 0 };
    let most = KEPT_BYTES * u64::from(cl.info().compute_units);
    let bytes = arrays.values() * word_bytes as u64;
    if arrays.count != 1 || bytes <= 2 * most || !cl.keeps_lines() {
        return 0;
    }
    (most / (bytes >> first.log_regs())).min(1 << first.log_regs().saturating_sub(1)) as u32
}

/// A pass that is ready to be launched: what a launch looks up would take longer than short transforms.
#[derive(Debug)]
struct Step<W: Word> {
    pass: Pass,
    kernel: Arc<Kernel>,
    tables: Arc<Tables<W>>,
    log_parts: u32,
    /// Values, from the first on, whose lines stay in a cache between the passes.
    kept: u64,
    /// What the pass itself multiplies by, prepared.
    scale: [W; 2],
}

/// The passes of one direction, ready, in the order of their launches.
#[derive(Debug)]
pub(super) struct Steps<W: Word> {
    launches: Vec<Step<W>>,
    /// The bit reversal of spectra in natural order.
    reversal: Option<Arc<Kernel>>,
    /// The choice that these steps are of, while another may take its place.
    watched: Option<Arc<Watched<Arc<[Pass]>>>>,
}

/// The key of [`Steps`]: the direction, the arrays, the part, and passes that are not those of the choice.
pub(super) type StepsKey = (Way, Arrays, Part, Option<Arc<[Pass]>>);

impl<W: Word> Steps<W> {
    fn new<F: NttField<Element = W>>(
        ntt: &Ntt<F>,
        cl: &OpenCl,
        arrays: &Arrays,
        (way, part): (Way, Part),
        passes: &[Pass],
    ) -> Result<Self, NttError> {
        let scaled = scaled(passes, arrays).filter(|_| way == Way::Inverse);
        // The inverse goes up the tree.
        let mut order: Vec<usize> = (0..passes.len()).collect();
        if way == Way::Inverse {
            order.reverse();
        }
        let last = order.last().copied();
        // Other operations' ends of a transform would not give the lines free.
        let kept = if part == Part::Whole { kept(cl, passes, arrays, W::TYPE.bytes()) } else { 0 };
        let step = |&i: &usize| {
            let own_scale = way == Way::Inverse && Some(i) == last && scaled.is_none();
            let parts = Parts::of(passes, i, arrays);
            let scale = if own_scale { ntt.scale() } else { ntt.field.zero() };
            // Of columns only those of the first pass are all that a tile of the last one has.
            let keeps = if i == 0 || i + 1 == passes.len() { kept } else { 0 };
            Ok(Step {
                pass: passes[i],
                kernel: kernel(ntt, cl, &passes[i], arrays, way, (parts.twisting, own_scale, keeps))?,
                tables: ntt.tables(&passes[i], arrays, parts, way, scaled == Some(i))?,
                log_parts: parts.log_count,
                kept: u64::from(keeps) << (arrays.log_len - passes[0].log_regs().min(arrays.log_len)),
                scale: ntt.field.factor(scale, arrays.arithmetic),
            })
        };
        let steps = order.iter().map(step).collect::<Result<_, NttError>>()?;
        let reverses = arrays.natural && part == Part::Whole;
        let reversal = reverses.then(|| reversal::build::<W>(&ntt.planner, cl, arrays.log_len)).transpose()?;
        Ok(Self { launches: steps, reversal, watched: None })
    }
}

fn kernel<F: NttField>(
    ntt: &Ntt<F>,
    cl: &OpenCl,
    pass: &Pass,
    arrays: &Arrays,
    way: Way,
    (twisting, own_scale, kept): (Twisting, bool, u32),
) -> Result<Arc<Kernel>, NttError> {
    let element = F::Element::TYPE;
    let defines = arrays
        .arithmetic
        .define(Defines::new().element(element))
        // Local memory serves words of 8 bytes half as many at a time.
        .set("SWIZZLE", if element.bytes() == 8 { 4 } else { 5 })
        .set("INVERSE", u8::from(way == Way::Inverse))
        .set("TWIST", twisting.define())
        .set("SCALE", u8::from(own_scale))
        .set("STAGES", pass.stages())
        .set("ROOT_WORDS", root_words(arrays.arithmetic, pass.log_regs()));
    let defines = match (kept, pass) {
        (0, _) => defines,
        (_, Pass::Columns { .. }) => defines.set("KEPT", kept),
        (_, Pass::Tile { .. }) => defines.set("KEPT", 1),
    };
    if let Some(columns) = pass.columns(element.bytes() as u32) {
        return Ok(ntt.planner.kernel(cl, &NTT_COLUMNS, columns.define(defines, element.bytes()))?);
    }
    let (log_tile, log_regs) = pass.shape();
    let defines = defines.set("LOG_TILE", log_tile).set("LOG_REGS", log_regs);
    let defines = match pass.wished_registers(element.bytes() as u32) {
        Some(most) => defines.registers(most),
        None => defines,
    };
    Ok(ntt.planner.kernel(cl, &NTT_TILE, defines)?)
}

fn launch<F: NttField>(
    ntt: &Ntt<F>,
    cl: &OpenCl,
    x: &mut Buffer<F::Element>,
    arithmetic: Arithmetic,
    step: &Step<F::Element>,
    tables: &Tables<F::Element>,
) -> Result<(), NttError> {
    let Step { pass, kernel, log_parts, kept, scale: [scale, quotient], .. } = step;
    let (count, stages) = (x.len(), pass.stages());
    let (log_tile, log_regs) = pass.shape();
    let launch = cl.launch(kernel).buffer(x);
    let launch = match *pass {
        Pass::Tile { .. } => launch.value(count as u64),
        Pass::Columns { .. } => launch,
    };
    let launch = launch
        .value(F::Element::from_u64(ntt.field.order()))
        .value(ntt.field.reciprocal(arithmetic))
        .words(&tables.roots)
        .input(&tables.twiddles)
        .input(&tables.items)
        .input(&tables.registers)
        .value(*log_parts);
    let launch = match *pass {
        Pass::Tile { .. } => launch.value(*kept),
        Pass::Columns { .. } => launch.value(0u32),
    };
    launch
        .value(*scale)
        .value(*quotient)
        .groups(count.div_ceil(1 << log_tile), 1usize << (log_tile - log_regs))
        .bytes(2 * F::Element::TYPE.bytes() as u64 * count as u64)
        .operations(u64::from(stages) * count as u64 / 2)
        .run()?;
    Ok(())
}

impl<F: NttField> Ntt<F> {
    /// The transforms on another device.
    fn on(&self, device: &Device) -> Self {
        let (planner, how) = (Arc::new(Planner::new(device)), (self.log_len, self.kind, self.order));
        Self::of(&planner, &self.field, how, self.root, self.arithmetic)
    }

    /// Asks for the plan of these arrays.
    fn ask(&self, cl: &OpenCl, arrays: &Arrays) -> Result<Asked<'_, Plan, NttError>, NttError> {
        Ok(self.planner.ask(Transforms { ntt: self, costs: OnDevice { limits: Limits::of(cl)? } }, *arrays))
    }

    /// The choice for these arrays; no plan is proved for it.
    pub(super) fn unproved_choice(&self, cl: &OpenCl, arrays: &Arrays) -> Result<Choice<Plan>, NttError> {
        self.planner.choice(&Transforms { ntt: self, costs: OnDevice { limits: Limits::of(cl)? } }, arrays)
    }

    /// The choice for these arrays, made at its first use.
    pub(super) fn choice(&self, cl: &OpenCl, arrays: &Arrays) -> Result<Arc<Chosen>, NttError> {
        self.chosen.get_unlocked(*arrays, |arrays| {
            let choice = self.ask(cl, arrays)?.choice()?;
            let watched = Watched::new(&choice.clone().map(|plan| plan.passes.into()));
            Ok(Chosen { choice, watched: Arc::new(watched) })
        })
    }

    /// The passes of a direction, made ready at their first use: those given, or the choice's.
    fn steps(
        &self,
        cl: &OpenCl,
        arrays: &Arrays,
        (way, part): (Way, Part),
        passes: Option<Arc<[Pass]>>,
    ) -> Result<Arc<Steps<F::Element>>, NttError> {
        self.steps.get_typed((way, *arrays, part, passes.clone()), || {
            let steps = |passes: &[Pass]| Steps::new(self, cl, arrays, (way, part), passes);
            let steps = if let Some(passes) = passes {
                steps(&passes)?
            } else {
                let chosen = self.choice(cl, arrays)?;
                let steps = steps(&chosen.choice.best().parameters.passes)?;
                Steps { watched: Some(Arc::clone(&chosen.watched)), ..steps }
            };
            Ok((steps, true))
        })
    }

    /// The tables of a pass, made at first use. Twists of long transforms take an eighth of their bytes at most.
    pub(super) fn tables(
        &self,
        pass: &Pass,
        arrays: &Arrays,
        parts: Parts,
        way: Way,
        scaled: bool,
    ) -> Result<Arc<Tables<F::Element>>, NttError> {
        self.device_tables
            .get((way, *pass, parts, scaled), |_| self.made_tables(pass, arrays, parts, way, scaled, None))
    }

    fn made_tables(
        &self,
        pass: &Pass,
        arrays: &Arrays,
        parts: Parts,
        way: Way,
        scaled: bool,
        base: Option<F::Element>,
    ) -> Result<Tables<F::Element>, NttError> {
        let upload = |constants: &[F::Element]| self.device().upload(&words(&self.field, arrays.arithmetic, constants));
        let stages = pass.stages();
        let root = |log_order| self.root_of(log_order, way);
        let log_regs = pass.log_regs();
        let roots = kernel_roots(&self.field, arrays.arithmetic, stages, log_regs, root);
        let twiddles = twiddles(&self.field, stages, log_regs, root);
        let scale = if scaled { self.scale() } else { self.field.one() };
        // Powers of the root of all parts together, or of that of their rows; without parts, of the negacyclic root or the base.
        let twist = |log_root, shape| {
            let steps = matches!(pass, Pass::Columns { .. }) && parts.twisting == Twisting::Whole;
            let base = base.unwrap_or_else(|| self.root_of(log_root, way));
            let twist = Twist::new(&self.field, base, parts.log_count, shape, (scale, steps));
            Ok::<_, NttError>((upload(&twist.items)?, upload(&twist.registers)?))
        };
        let (items, registers) = match parts.twisting {
            Twisting::Not => (upload(&[self.field.zero()])?, upload(&[self.field.zero()])?),
            Twisting::Whole => twist(pass.span() + parts.log_count.max(1), pass.twist_shape())?,
            Twisting::Rows => twist(stages + parts.log_count, (stages, 0))?,
        };
        Ok(Tables { roots, twiddles: upload(&twiddles)?, items, registers })
    }
}
