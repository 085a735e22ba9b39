import { Answer, check, contract, enforce, enforceStream } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { helix } from '@stickler/presets/helix'
import { VerifiedStream } from '../packages/core/dist/engine/stream/stream.js'
import { makeAdr, memoryFiles } from './adr.mjs'
import { compare, ratio } from './harness.mjs'

// The preset holds streams; here it is measured what releasing costs.
const rules = contract({ preset: helix, stream: 'verified' })
const options = { ports: { files: memoryFiles } }
const context = { ...options, locale: rules.policy.locale, context: {}, signal: new AbortController().signal }
const chunkBytes = 20

/** An answer in chunks of 20 bytes through the verified stream, against one whole check. */
export async function benchStream() {
  const rows = []
  for (const [size, bytes] of [
    ['20 KB', 20_000],
    ['1 MB', 1_000_000],
  ]) {
    const text = makeAdr(bytes, { modifies: false })
    const chunks = cut(text)
    await mustRelease(text, chunks)
    const held = makeAdr(bytes)
    const heldChunks = cut(held)
    const times = await compare({
      whole: () => check(rules, text, options),
      machines: () => streamed(chunks),
      joined: () => check(rules, chunks.join(''), options),
      heldWhole: () => check(rules, held, options),
      heldMachines: () => streamed(heldChunks),
      collected: () => collectAndCheck(chunks),
      enforced: () => enforce({ contract: rules, runner: scripted([text]), prompt: '', ...options }),
      enforcedStream: () => drain(enforceStream({ contract: rules, runner: scripted([{ chunks }]), prompt: '', ...options })),
    })
    rows.push(
      { what: `verified stream ÷ one whole check, ${size}`, atMost: 3, ...ratio(times.machines, times.whole) },
      { what: `verified stream ÷ joining the same chunks and one whole check, ${size}`, ...ratio(times.machines, times.joined) },
      {
        what: `verified stream of a text that is held to its end ÷ one whole check, ${size}`,
        atMost: 3,
        ...ratio(times.heldMachines, times.heldWhole),
      },
      {
        what: `\`enforceStream\` ÷ collecting the same stream and one whole check, ${size}`,
        atMost: 3,
        ...ratio(times.enforcedStream, times.collected),
      },
      { what: `\`enforceStream\` ÷ \`enforce\` with the text in one piece, ${size}`, ...ratio(times.enforcedStream, times.enforced) },
    )
  }
  return [...rows, await growth(50_000, 1_000_000)]
}

async function growth(smallBytes, largeBytes) {
  const small = makeAdr(smallBytes, { modifies: false })
  const large = makeAdr(largeBytes, { modifies: false })
  const [smallChunks, largeChunks] = [cut(small), cut(large)]
  const times = await compare({ small: () => streamed(smallChunks), large: () => streamed(largeChunks) })
  const scale = Buffer.byteLength(small) / Buffer.byteLength(large)
  return { what: 'verified stream: time per byte at 1 MB ÷ at 50 KB', atMost: 1.3, ...ratio(times.large, times.small, scale) }
}

/** What the engine does with a stream, without the model call around it. */
export function streamed(chunks) {
  const stream = new VerifiedStream(rules, context, { release: 'verified', repairs: true, stops: true })
  for (const chunk of chunks) stream.push(chunk)
  stream.end()
  return check(rules, new Answer(stream.text, { reader: stream.reader }), options)
}

/** What one would do without a verified stream: take the chunks from the same runner, and check the text at its end. */
async function collectAndCheck(chunks) {
  let text = ''
  const events = scripted([{ chunks }]).run(undefined, '', { stream: true, signal: new AbortController().signal })
  for await (const event of events) if (event.type === 'text') text += event.text
  return check(rules, text, options)
}

/** Cuts a text after every 20th byte; a character that is cut through comes with the next chunk, as from a decoder. */
export function cut(text) {
  const bytes = Buffer.from(text)
  const decoder = new TextDecoder()
  const chunks = []
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(decoder.decode(bytes.subarray(at, at + chunkBytes), { stream: true }))
  return chunks.filter((chunk) => chunk !== '')
}

async function drain(pieces) {
  let count = 0
  for await (const _piece of pieces) count++
  return count
}

/** A stream that is held to its end would be no measure. */
async function mustRelease(text, chunks) {
  const stream = enforceStream({ contract: rules, runner: scripted([{ chunks }]), prompt: '', ...options })
  const pieces = []
  for await (const piece of stream) pieces.push(piece)
  const { status } = await stream.outcome
  if (status !== 'valid' || pieces.join('') !== text) throw new Error(`the benchmark's stream came out ${status}`)
  if (pieces.length < chunks.length / 2) throw new Error(`the stream was held back: ${pieces.length} releases of ${chunks.length} chunks`)
}
