import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { guardDestination } from './logger.ts'

function guarded() {
  const written: string[] = []
  return { written, ...guardDestination({ write: (lines) => void written.push(lines) }, () => {}) }
}

describe('lines', () => {
  it('wait for others, and are written together', async () => {
    const { written, write } = guarded()
    write('a\n')
    await nextTurn()
    write('b\n')
    expect(written).toEqual([])
    await expect.poll(() => written).toEqual(['a\nb\n'])
    write('c\n')
    await expect.poll(() => written).toEqual(['a\nb\n', 'c\n'])
  })

  it('that are urgent wait for the end of the turn, and take the others with them', async () => {
    const { written, write } = guarded()
    write('a\n')
    write('b\n', true)
    write('c\n', true)
    await nextTurn()
    expect(written).toEqual(['a\nb\nc\n'])
    write('d\n')
    await delay(0)
    write('e\n', true)
    await nextTurn()
    expect(written).toEqual(['a\nb\nc\n', 'd\ne\n'])
  })

  it('do not pile up', () => {
    const { written, write } = guarded()
    for (let left = 100; left > 0; left--) write(`${'x'.repeat(1023)}\n`)
    expect(written.map(({ length }) => length)).toEqual([65 * 1024])
  })

  it('are written when the process ends, and nobody listens for that any longer than needed', () => {
    const before = process.listeners('exit')
    const { written, write, flush } = guarded()
    write('a\n')
    write('b\n')
    const added = process.listeners('exit').filter((listener) => !before.includes(listener))
    expect(added).toHaveLength(1)
    added[0]?.(0)
    expect(written).toEqual(['a\nb\n'])
    expect(process.listeners('exit')).toEqual(before)
    write('c\n')
    flush()
    flush()
    expect(written).toEqual(['a\nb\n', 'c\n'])
    expect(process.listeners('exit')).toEqual(before)
  })
})
