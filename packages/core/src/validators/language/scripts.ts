/** A script: the detector's name of it or of its only language, what a letter of it weighs against a Latin one, and the code units of its letters and marks. */
interface Script {
  readonly name: string
  readonly weight: number
  readonly units: readonly (readonly [first: number, last: number])[]
}

/** A Chinese character or a syllable says about as much as three letters. */
const syllable = 3

/** The scripts of the languages that are told apart, and a few that are only recognized. */
export const scripts: readonly Script[] = [
  {
    name: 'Latin',
    weight: 1,
    units: [
      [0x41, 0x5a],
      [0x61, 0x7a],
      [0xaa, 0xaa],
      [0xba, 0xba],
      [0xc0, 0xd6],
      [0xd8, 0xf6],
      [0xf8, 0x24f],
      [0x259, 0x259],
      [0x2bb, 0x2bc],
      [0x1e00, 0x1eff],
    ],
  },
  {
    name: 'Cyrillic',
    weight: 1,
    units: [[0x400, 0x52f]],
  },
  {
    name: 'Arabic',
    weight: 1,
    units: [
      [0x620, 0x65f],
      [0x66e, 0x6d3],
      [0x6d5, 0x6ef],
      [0x6fa, 0x6ff],
      [0x750, 0x77f],
      [0xfb50, 0xfdff],
      [0xfe70, 0xfefc],
    ],
  },
  {
    name: 'Devanagari',
    weight: 1,
    units: [
      [0x900, 0x963],
      [0x970, 0x97f],
    ],
  },
  { name: 'Hebrew', weight: 1, units: [[0x591, 0x5f2]] },
  { name: 'Myanmar', weight: 1, units: [[0x1000, 0x103f]] },
  { name: 'Ethiopic', weight: syllable, units: [[0x1200, 0x135f]] },
  {
    name: 'cmn',
    weight: syllable,
    units: [
      [0x3005, 0x3007],
      [0x3400, 0x4dbf],
      [0x4e00, 0x9fff],
      [0xf900, 0xfaff],
    ],
  },
  {
    name: 'jpn',
    weight: syllable,
    units: [
      [0x3041, 0x309f],
      [0x30a1, 0x30fa],
      [0x30fc, 0x30ff],
      [0x31f0, 0x31ff],
      [0xff66, 0xff9d],
    ],
  },
  {
    name: 'kor',
    weight: syllable,
    units: [
      [0x3131, 0x318e],
      [0xac00, 0xd7a3],
    ],
  },
  {
    name: 'ell',
    weight: 1,
    units: [
      [0x370, 0x3ff],
      [0x1f00, 0x1fff],
    ],
  },
  { name: 'hye', weight: 1, units: [[0x531, 0x587]] },
  { name: 'ben', weight: 1, units: [[0x980, 0x9e3]] },
  { name: 'pan', weight: 1, units: [[0xa01, 0xa75]] },
  { name: 'guj', weight: 1, units: [[0xa81, 0xae3]] },
  { name: 'or', weight: 1, units: [[0xb01, 0xb63]] },
  { name: 'tam', weight: 1, units: [[0xb82, 0xbe5]] },
  { name: 'tel', weight: 1, units: [[0xc00, 0xc63]] },
  { name: 'kan', weight: 1, units: [[0xc80, 0xce3]] },
  { name: 'mal', weight: 1, units: [[0xd00, 0xd63]] },
  { name: 'sin', weight: 1, units: [[0xd81, 0xdf3]] },
  { name: 'tha', weight: 1, units: [[0xe01, 0xe4e]] },
  { name: 'lao', weight: 1, units: [[0xe81, 0xecd]] },
  { name: 'bo', weight: 1, units: [[0xf40, 0xfbc]] },
  {
    name: 'kat',
    weight: 1,
    units: [
      [0x10a0, 0x10ff],
      [0x1c90, 0x1cbf],
    ],
  },
  { name: 'khm', weight: 1, units: [[0x1780, 0x17d3]] },
]
