/** Abbreviations that no sentence ends with, in lower case and without the last full stop. */
export const neverLast: ReadonlySet<string> = new Set(
  'mr mrs ms dr prof st sen rep gov gen col capt lt sgt rev hon fr hr e.g i.e cf vs viz approx fig figs eq no nos vol pp p ed eds al z.b d.h u.a bzw ca evtl ggf vgl inkl nr abb tel'.split(
    ' ',
  ),
)

/** Abbreviations that a sentence may end with: it does when a capital letter follows. */
export const sometimesLast: ReadonlySet<string> = new Set('etc inc ltd co corp jr sr dept est ave blvd usw usf etw a.m p.m'.split(' '))
