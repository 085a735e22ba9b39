import { readRequest } from '../check/check-lines.ts'
import { isRecording, type RecordingSource } from '../recordings/recording.ts'
import { RecordTally } from '../recordings/tally.ts'

/** Answers that a contract is made from. */
export interface Sample {
  readonly texts: readonly string[]
  /** How many answers were accepted, of which the texts are a sample. */
  readonly accepted: number
  /** Answers that somebody called bad, that have no text, or that are too long. */
  readonly leftOut: Readonly<Record<'bad' | 'without text' | 'too long', number>>
  readonly tally: RecordTally
}

/** Longer answers are left out, in UTF-16 units, so that a sample fits in memory. */
const longest = 65_536

/** Takes a sample in one pass: with the same answers in the same order it is always the same one. */
export async function sampleOf(source: RecordingSource, size: number): Promise<Sample> {
  const texts: string[] = []
  const tally = new RecordTally()
  const leftOut = { bad: 0, 'without text': 0, 'too long': 0 }
  const random = numbers()
  let accepted = 0
  for await (const record of source.read()) {
    tally.add(record)
    if (!isRecording(record)) continue
    const { text } = readRequest(record.fields).answer
    if (record.label === 'bad') leftOut.bad++
    else if (text.trim() === '') leftOut['without text']++
    else if (text.length > longest) leftOut['too long']++
    else {
      // Each answer has the same chance to be kept.
      const at = accepted < size ? accepted : Math.floor(random() * (accepted + 1))
      accepted++
      if (at < size) texts[at] = text
    }
  }
  return { texts, accepted, leftOut, tally }
}

/** Numbers from 0 to 1 from a fixed seed (mulberry32). */
function numbers(): () => number {
  let state = 0x5eed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
