// Bundles our packages and the command for Node, where hundreds of small files take longer to load than to run, and more memory: `packages/*/dist/node`.
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { adapters } from './adapters.mjs'
import { bundleDashboard } from './dashboard.mjs'
import { loadedLate } from './late.mjs'

const packages = fileURLToPath(new URL('../../packages', import.meta.url))
/** What a bundle was made of, and which files it has. */
const record = 'bundle.json'

/**
 * What is bundled: the entries of a package, the libraries that are inlined, the entry points of our other packages that are too, and the modules whose static imports become one file each, together where several are named.
 * Only entry points without state and without classes that others ask for may be inlined: the rest of their package may be loaded beside the bundle.
 * A thread loads nothing beside its bundle, which has a folder to itself.
 */
const bundles = [
  {
    name: 'core',
    entries: entriesFor('core'),
    libraries: ['yaml', 'zod'],
    ours: [],
    late: validatorModules('validators/index').concat(
      'contract/configuration/describe-options',
      'contract/configuration/yaml-config',
      'validators/code-syntax/choice',
      'validators/code-syntax/prepare',
      'validators/json/request-schema',
      'relay/request-check',
    ),
    // What several entry points share is in few files: small modules, what the first call of a runner loads, and the other APIs.
    files: ['internal/yaml', 'index', 'internal validators', 'runners/anthropic/anthropic', 'apis/chat/chat-wire', 'internal/apis'],
  },
  ...adapters.map((name) => ({ name, entries: entriesFor(name), libraries: [], ours: [], files: ['index'] })),
  {
    name: 'presets',
    entries: entriesFor('presets'),
    libraries: ['zod'],
    ours: [],
    late: entriesFor('presets').flatMap((entry) =>
      entry.endsWith('/index') ? validatorModules(entry.replace('index', 'preset'), 'presets') : [],
    ),
    files: ['index'],
  },
  { name: 'node', entries: entriesFor('node'), libraries: ['zod'], ours: [], files: ['files'] },
  // Reading a configuration needs no parser.
  { name: 'parser', entries: entriesFor('parser'), libraries: ['zod'], ours: [], files: ['config internal', 'index'] },
  { name: 'ask', entries: entriesFor('ask'), libraries: [], ours: [], files: ['index'] },
  {
    name: 'gateway',
    entries: entriesFor('gateway'),
    libraries: ['kysely', 'undici', 'zod'],
    ours: [],
    files: ['index'],
  },
  {
    name: 'gateway',
    folder: 'records-thread',
    entries: ['records/store/thread/thread'],
    libraries: ['kysely'],
    ours: ['core/internal', 'node/internal'],
    files: [],
  },
  {
    name: 'cli',
    entries: ['main'],
    libraries: ['commander', 'picomatch', 'zod'],
    ours: ['gateway', 'ask', 'parser', 'node']
      .map((name) => `${name}/internal/config`)
      .concat('node/internal/contracts', 'node/internal/hook-events', 'node/internal/hooks', 'node/internal/services', 'presets/internal'),
    files: [
      'main',
      'hook/run-hook',
      'config/choose-contract ports/open-ports hook/judge-event',
      'program',
      'check/check-answers',
      '../../node/dist/contracts',
      '../../node/dist/config',
    ],
  },
]
for (const one of bundles) {
  if (!existsSync(join(packages, one.name, 'dist')))
    throw new Error(`packages/${one.name} is not built: is it in tsconfig.json? npm run lists adds it`)
  const inputs = hashOf(one)
  if (!isUpToDate(one, inputs)) await bundle(one, inputs)
}
await bundleDashboard(join(packages, 'dashboard'), join(packages, 'gateway/dist/dashboard'))

// `stickler explain` names these pages, and an installation has no checkout.
const reference = join(packages, 'cli/dist/reference')
rmSync(reference, { recursive: true, force: true })
for (const page of ['codes.md', 'validators']) cpSync(join(packages, '../docs/reference', page), join(reference, page), { recursive: true })

/** Bundles entries of a package together, so that they share what they have in common; other packages stay outside unless they are inlined. */
async function bundle({ name, folder = 'node', entries, libraries, ours, late = [], files }, inputs) {
  const { rolldown } = await import('rolldown')
  const dist = join(packages, name, 'dist')
  // Left by a build that was killed.
  for (const left of readdirSync(dist).filter((path) => path.startsWith(`.${folder}-`)))
    rmSync(join(dist, left), { recursive: true, force: true })
  const inlined = new RegExp(`^(?:(?:${libraries.join('|') || '$.'})(?:/|$)|@stickler/(?:${ours.join('|') || '$.'})$)`)
  const bundled = await rolldown({
    input: Object.fromEntries(
      [...entries, ...late].map((entry, at) => [at < entries.length ? entry : `late/${entry}`, join(dist, `${entry}.js`)]),
    ),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !isAbsolute(id) && !inlined.test(id),
    resolve: {
      alias: {
        // The build of yaml for Node is CommonJS, which no ESM bundle of a user could hold.
        yaml: join(packageFolder('yaml'), 'browser/index.js'),
        // The modules themselves, where their package has a bundle too.
        ...Object.fromEntries(
          ours.map((door) => [`@stickler/${door}`, join(packages, `${door.replace(/\/(?:internal\/)?/, '/dist/')}.js`)]),
        ),
      },
    },
    plugins: [loadedLate(dist, late), ownImports(dist), usedOfUndici(), inAscii()],
    logLevel: 'warn',
  })
  const made = mkdtempSync(join(dist, `.${folder}-`))
  try {
    // A group takes what its modules import as well, so the first one must choose first.
    const groups = files.map((file, at) => ({
      debugName: file,
      priority: files.length - at,
      name: importedBy(file.split(' ').map((path) => join(dist, `${path}.js`))),
    }))
    const { output } = await bundled.write({
      dir: made,
      format: 'es',
      chunkFileNames: 'shared/[name]-[hash].js',
      // They would be read at every start; the single modules have them.
      comments: { jsdoc: false },
      codeSplitting: { groups },
    })
    writeFileSync(join(made, 'LICENSES.txt'), libraries.map(licenceOf).join('\n'))
    const inside = output.flatMap(({ moduleIds }) => moduleIds).map((id) => relative(packages, id))
    writeFileSync(join(made, record), JSON.stringify({ inputs, files: output.map(({ fileName }) => fileName).sort(), inside }))
    chmodSync(made, 0o755)
    rmSync(join(dist, folder), { recursive: true, force: true })
    renameSync(made, join(dist, folder))
  } finally {
    rmSync(made, { recursive: true, force: true })
    await bundled.close()
  }
}

/** Leaves out what inlined modules of other packages would import later: the command asks those packages for it. */
function ownImports(dist) {
  const left = '\0left-out'
  return {
    name: 'own-imports',
    resolveDynamicImport: (_specifier, importer) => (importer.startsWith(dist) ? null : left),
    load: (id) => (id === left ? `throw new Error('left out of the bundle')` : null),
  }
}

/** Takes the two classes of undici that are used: what its main file loads at once, such as `fetch` and caches, takes more memory than all of the gateway's own code. */
function usedOfUndici() {
  const used = '\0undici'
  const part = (name) => JSON.stringify(join(packageFolder('undici'), `lib/dispatcher/${name.toLowerCase()}.js`))
  return {
    name: 'used-of-undici',
    resolveId: (id) => (id === 'undici' ? used : null),
    load: (id) => (id === used ? ['Client', 'Pool'].map((name) => `export { default as ${name} } from ${part(name)}`).join('\n') : null),
  }
}

/** Escapes all other characters: V8 keeps text with a single one of them in twice the memory, and takes longer to read it. */
function inAscii() {
  const escaped = (code) => {
    // Within these an escape is not the character that it stands for.
    const raw = /\\[^\0-\x7f]|String\.raw`[^`]*[^\0-\x7f`]/.exec(code)
    if (raw !== null) throw new Error(`write this with escapes: ${code.slice(raw.index, raw.index + 60)}`)
    return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  }
  return {
    name: 'in-ascii',
    // What is rendered before is printed once more, with the characters.
    generateBundle(_options, made) {
      for (const chunk of Object.values(made)) chunk.code = escaped(chunk.code)
    },
  }
}

/** Names a group of all modules that a root imports, not counting what it loads later. */
function importedBy(roots) {
  const reached = new Set()
  return (id, graph) => {
    const open = reached.size === 0 ? [...roots] : []
    for (let from = open.pop(); from !== undefined; from = open.pop()) {
      if (!reached.has(from)) open.push(...(graph.getModuleInfo(from)?.importedIds ?? []))
      reached.add(from)
    }
    return reached.has(id) ? basename(roots[0], '.js') : null
  }
}

/** Whether the bundle was made of the same inputs, and all of it is there. */
function isUpToDate({ name, folder = 'node' }, inputs) {
  const place = join(packages, name, 'dist', folder)
  if (!existsSync(join(place, record))) return false
  const made = JSON.parse(readFileSync(join(place, record), 'utf8'))
  return made.inputs === inputs && made.files.every((path) => existsSync(join(place, path)))
}

/** A hash of everything that a bundle depends on: the builds, what is inlined, the bundler and this file. */
function hashOf({ name, entries, libraries, ours }) {
  const hash = createHash('sha256')
  for (const own of ['bundle', 'late', 'late-modules']) hash.update(readFileSync(new URL(`${own}.mjs`, import.meta.url)))
  for (const folder of new Set([name, ...ours.map((entry) => entry.split('/')[0])])) {
    const dist = join(packages, folder, 'dist')
    const built = readdirSync(dist, { recursive: true }).filter(
      (path) => path.endsWith('.js') && !/^\.?(?:node|records-thread|dashboard)[/\\-]/.test(path),
    )
    for (const path of built.sort()) hash.update(path).update(readFileSync(join(dist, path)))
  }
  for (const other of [...libraries, 'rolldown']) hash.update(readFileSync(join(packageFolder(other), 'package.json')))
  return hash.update(entries.join()).digest('hex')
}

/** The modules beside one that it imports, which are those of validators, by their paths below `dist`. */
function validatorModules(list, name = 'core') {
  const folder = dirname(list)
  const written = readFileSync(join(packages, name, 'dist', `${list}.js`), 'utf8')
  return [...written.matchAll(/from '\.\/([^']+)\.js'/g)].map(([, path]) => `${folder}/${path}`)
}

/** The entries that a manifest lists with a bundle for Node. */
function entriesFor(name) {
  const { exports } = JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8'))
  return Object.values(exports)
    .map((entry) => /^\.\/dist\/node\/(.+)\.js$/.exec(entry.node ?? '')?.[1])
    .filter((entry) => entry !== undefined)
}

function licenceOf(name) {
  return `${name}\n\n${readFileSync(join(packageFolder(name), 'LICENSE'), 'utf8')}`
}

/** Where a package is installed; not every one exports its manifest. */
function packageFolder(name) {
  return ['core', 'cli', 'gateway', '..']
    .map((place) => join(packages, place, 'node_modules', name))
    .find((folder) => existsSync(join(folder, 'package.json')))
}
