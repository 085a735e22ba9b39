import { check, contract } from '@stickler/core'
import { helix } from '@stickler/presets/helix'
import { makeAdr, memoryFiles } from './adr.mjs'
import { compare, ratio } from './harness.mjs'
import { markdownItTokens, mdast } from './peers.mjs'

const rules = contract({ preset: helix })
const options = { ports: { files: memoryFiles } }

/** Reading and the three HELIX validators on one whole answer, against parsers that only read. */
export async function benchAnswer() {
  const rows = []
  for (const [size, bytes] of [
    ['20 KB', 20_000],
    ['1 MB', 1_000_000],
  ]) {
    const text = makeAdr(bytes)
    await mustBeValid(text)
    const times = await compare({
      stickler: () => check(rules, text, options),
      mdast: () => mdast(text),
      markdownIt: () => markdownItTokens(text),
    })
    rows.push(
      {
        what: `mdast-util-from-markdown + GFM (reads) ÷ Stickler (reads and checks), ${size}`,
        atLeast: 5,
        ...ratio(times.mdast, times.stickler),
      },
      { what: `markdown-it (reads) ÷ Stickler (reads and checks), ${size}`, ...ratio(times.markdownIt, times.stickler) },
    )
  }
  return [...rows, await perByte(10_000, 1_000_000)]
}

async function perByte(smallBytes, largeBytes) {
  const small = makeAdr(smallBytes)
  const large = makeAdr(largeBytes)
  const times = await compare({ small: () => check(rules, small, options), large: () => check(rules, large, options) })
  const scale = Buffer.byteLength(small) / Buffer.byteLength(large)
  return { what: 'Stickler: time per byte at 1 MB ÷ at 10 KB', atMost: 1.3, ...ratio(times.large, times.small, scale) }
}

/** A check that steps aside would be no measure. */
async function mustBeValid(text) {
  const { issues, unchecked, facts } = await check(rules, text, options)
  if (issues.length > 0 || unchecked.length > 0)
    throw new Error(`the benchmark's record is not valid: ${JSON.stringify({ issues, unchecked })}`)
  if (facts.step_marker?.step !== 'finalize' || facts.adr_structure?.criteria !== 6) throw new Error('the checks did not find the record')
}
