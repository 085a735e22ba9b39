import { parseArgs } from 'node:util'
import type { Attack, Found } from './attack.ts'
import { attacks } from './attacks.ts'
import { replay, runAttack } from './run-attack.ts'

const usage = `usage: npm run attack [-- [part …] [--seed N] [--minutes M] [--case SEED:PATH]]
Compares random cases in two ways that must agree, for M minutes in all (2 by default).
Ends with 1 and the smallest case it finds when they do not. --case runs that case of one part again.

${attacks.map(({ name, compares }) => `  ${name.padEnd(10)} ${compares}`).join('\n')}`

interface Arguments {
  readonly chosen: readonly Attack[]
  readonly seed: number
  readonly minutes: number
  readonly case: string | undefined
}

/** Runs the attacks that the arguments name; gives the exit code. */
export async function main(words: readonly string[]): Promise<number> {
  const given = read(words)
  if (typeof given === 'number') return given
  const { chosen, seed, minutes } = given
  const [first] = chosen
  if (given.case !== undefined && first !== undefined) return tell(first, await replay(first, given.case, 600_000))
  console.log(`seed ${seed}, ${minutes} minutes, Node ${process.versions.node}`)
  const now = (): number => performance.now()
  const end = now() + minutes * 60_000
  let code = 0
  for (const [index, attack] of chosen.entries()) {
    // What one part leaves, the next ones have.
    const until = now() + (end - now()) / (chosen.length - index)
    const { cases, ms, found } = await runAttack(attack, { seed, until, now })
    const rate = ((cases / ms) * 1000).toFixed(0)
    console.log(
      `${attack.name.padEnd(10)} ${String(cases).padStart(9)} cases in ${(ms / 1000).toFixed(0)} s (${rate}/s): ${attack.compares}`,
    )
    code = Math.max(code, tell(attack, found))
  }
  console.log(code === 0 ? 'no differences' : 'there are differences')
  return code
}

function tell({ name }: Attack, found: Found | undefined): number {
  if (found === undefined) return 0
  console.log(`\n${name} differs: ${found.difference}\n`)
  console.log(`input: ${JSON.stringify(found.input)}`)
  console.log(`again: npm run attack -- ${name} --case ${found.case}\n`)
  return 1
}

function read(words: readonly string[]): Arguments | number {
  try {
    const options = { seed: { type: 'string' }, minutes: { type: 'string' }, case: { type: 'string' }, help: { type: 'boolean' } } as const
    const { positionals, values } = parseArgs({ args: [...words], allowPositionals: true, options })
    if (values.help) {
      console.log(usage)
      return 0
    }
    const { seed = '1', minutes = '2' } = values
    const unknown = positionals.find((name) => !attacks.some((attack) => attack.name === name))
    if (unknown !== undefined) throw new Error(`there is no part ${unknown}`)
    if (!/^\d+$/.test(seed)) throw new Error('--seed needs a number')
    if (!(Number(minutes) > 0)) throw new Error('--minutes needs a number')
    if (values.case !== undefined && (positionals.length !== 1 || !/^\d+(:\d+)+$/.test(values.case)))
      throw new Error('--case needs one part, and a case as it was printed')
    const chosen = positionals.length === 0 ? attacks : attacks.filter(({ name }) => positionals.includes(name))
    return { chosen, seed: Number(seed), minutes: Number(minutes), case: values.case }
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    return 2
  }
}
