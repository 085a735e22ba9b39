import { parseArgs } from 'node:util'
import { benchAnswer } from './answer.mjs'
import { benchCheck } from './check.mjs'
import { benchCorpus } from './corpus.mjs'
import { benchDashboard } from './dashboard.mjs'
import { benchFetch } from './fetch.mjs'
import { benchGateway } from './gateway.mjs'
import { benchGrpc } from './grpc.mjs'
import { benchHostile } from './hostile.mjs'
import { benchJson } from './json.mjs'
import { benchParser } from './parser.mjs'
import { benchPlugins } from './plugins.mjs'
import { benchReal } from './real.mjs'
import { benchRecall } from './recall.mjs'
import { benchRelevance } from './relevance.mjs'
import { printTable, writePage } from './report.mjs'
import { benchRetrieval } from './retrieval.mjs'
import { benchScaling } from './scaling.mjs'
import { benchSizes } from './sizes.mjs'
import { benchSoak } from './soak.mjs'
import { benchStall } from './stall.mjs'
import { benchStart } from './start.mjs'
import { benchStream } from './stream.mjs'
import { benchUpgrade } from './upgrade.mjs'
import { benchValidators } from './validators.mjs'

const groups = {
  answer: benchAnswer,
  stream: benchStream,
  hostile: benchHostile,
  json: benchJson,
  validators: benchValidators,
  parser: benchParser,
  plugins: benchPlugins,
  gateway: benchGateway,
  grpc: benchGrpc,
  start: benchStart,
}
/** Run only when they are asked for: with recorded cases, for as long as it takes, or against another checkout. */
const onDemand = {
  check: benchCheck,
  corpus: benchCorpus,
  dashboard: benchDashboard,
  fetch: benchFetch,
  real: benchReal,
  recall: benchRecall,
  relevance: benchRelevance,
  retrieval: benchRetrieval,
  scaling: benchScaling,
  sizes: benchSizes,
  soak: benchSoak,
  stall: benchStall,
  upgrade: benchUpgrade,
}
const known = { ...groups, ...onDemand }
const usage = `usage: npm run bench [-- [${Object.keys(known).join('] [')}] [--long] [--minutes N] [--seed N] [--chunks N] [--runs N] [--against FOLDER] [--write --date YYYY-MM-DD]]`

const { chosen, write, date, long, minutes, seed, chunks, runs, against } = readArguments()
for (const name of chosen) {
  console.log(`\n${name}`)
  const rows = await known[name]({
    long,
    against,
    ...(minutes === undefined ? {} : { minutes: Number(minutes) }),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    ...(chunks === undefined ? {} : { chunks: Number(chunks) }),
    ...(runs === undefined ? {} : { runs: Number(runs) }),
  })
  printTable(rows)
  if (write) await writePage(name, rows, date)
}

function readArguments() {
  try {
    const options = {
      write: { type: 'boolean' },
      date: { type: 'string' },
      long: { type: 'boolean' },
      minutes: { type: 'string' },
      seed: { type: 'string' },
      chunks: { type: 'string' },
      runs: { type: 'string' },
      against: { type: 'string' },
    }
    const { positionals, values } = parseArgs({ allowPositionals: true, options })
    const unknown = positionals.find((name) => !Object.hasOwn(known, name))
    if (unknown !== undefined) throw new Error(`there is no group ${unknown}`)
    if (values.minutes !== undefined && !(Number(values.minutes) > 0)) throw new Error('--minutes needs a number')
    if (values.seed !== undefined && !/^\d+$/.test(values.seed)) throw new Error('--seed needs a number')
    if (values.chunks !== undefined && !/^[1-9]\d*$/.test(values.chunks)) throw new Error('--chunks needs a number')
    if (values.runs !== undefined && !/^[1-9]\d*$/.test(values.runs)) throw new Error('--runs needs a number')
    if (values.write && !/^\d{4}-\d\d-\d\d$/.test(values.date ?? '')) throw new Error('--write needs --date')
    const all = Object.keys(groups).concat(values.against === undefined ? [] : 'upgrade')
    if (positionals.length === 0 && values.against === undefined) console.log('without --against, upgrade is left out')
    return { chosen: positionals.length > 0 ? positionals : all, ...values }
  } catch (error) {
    console.error(`${error.message}\n${usage}`)
    process.exit(2)
  }
}
