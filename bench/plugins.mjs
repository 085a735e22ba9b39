import { fileURLToPath } from 'node:url'
import { buildContract, check, contract } from '@stickler/core'
import { openPluginThreads } from '@stickler/gateway/internal/plugins'
import { PluginSet } from '@stickler/node/internal/config'
import { makeAdr } from './adr.mjs'
import { compare, quartiles, ratio } from './harness.mjs'
import { noShouting } from './plugins/rule.mjs'

/** A rule of a plugin in its thread, against the same rule in the process. */
export async function benchPlugins() {
  const threads = openPluginThreads()
  try {
    const file = new URL('./plugins/rule.mjs', import.meta.url)
    const { module, validators } = await threads.host.describe('./rule.mjs', file.href)
    const plugins = new PluginSet([{ written: fileURLToPath(file), module, validators }], threads.host)
    const input = { checks: ['no_shouting'] }
    const outside = buildContract(input, await plugins.catalogueFor([input]))
    const inside = contract({ checks: [noShouting({})] })
    const executor = threads.executor({})
    const rows = []
    for (const [size, bytes] of [
      ['2 KB', 2000],
      ['20 KB', 20_000],
      ['200 KB', 200_000],
    ]) {
      const text = makeAdr(bytes)
      const inThread = () => mustCheck(outside, text, { executor })
      const times = await compare({ inPlace: () => mustCheck(inside, text), inThread })
      rows.push({ what: `a plugin in its thread ÷ the same rule in the process, ${size}`, ...ratio(times.inThread, times.inPlace) })
      rows.push({ what: `a plugin in its thread, ${size}: milliseconds of the clock`, ...(await clock(inThread)) })
    }
    return rows
  } finally {
    await threads.close()
  }
}

async function mustCheck(rules, text, options) {
  const { unchecked, issues } = await check(rules, text, options)
  if (unchecked.length > 0 || issues.length > 0) throw new Error(JSON.stringify(unchecked))
}

async function clock(work) {
  const times = []
  for (let run = 0; run < 300; run++) {
    const started = performance.now()
    await work()
    times.push(performance.now() - started)
  }
  return quartiles(times)
}
