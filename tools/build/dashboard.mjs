// Bundles the dashboard for browsers into the gateway's files: index.html, and files whose names have their hash, each compressed as well.
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib'

const libraries = ['preact', '@preact/signals', '@preact/signals-core', 'uplot', 'diff', 'eventsource-parser']
const styles = ['tokens', 'base', 'controls', 'shell', 'content']
const record = 'bundle.json'
const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url))

/** Bundles unless the files were made of the same inputs. */
export async function bundleDashboard(from, to) {
  const inputs = hashOf(from)
  if (existsSync(join(to, record)) && JSON.parse(readFileSync(join(to, record), 'utf8')).inputs === inputs) return
  const made = mkdtempSync(join(dirname(to), '.dashboard-'))
  try {
    mkdirSync(join(made, 'assets'))
    const files = new Map([...(await scripts(from)), ...others(from)])
    // Names with hashes, so that browsers may keep the files for ever.
    const renamed = new Map([...files].map(([name, bytes]) => [name, name.includes('-') ? name : hashed(name, bytes)]))
    for (const [name, bytes] of files) write(join(made, 'assets', renamed.get(name)), bytes)
    const page = readFileSync(join(from, 'src/index.html'), 'utf8')
    // Relative, so that it also works below the path of a proxy: one form for pages such as /runs, another for those such as /runs/ID.
    for (const [name, up] of [
      ['index.html', ''],
      ['deeper.html', '../'],
    ]) {
      const linked = page.replaceAll(/"assets\/([\w.]+)"/g, (_, file) => `"${up}assets/${renamed.get(file)}"`)
      write(join(made, name), Buffer.from(linked))
    }
    writeFileSync(join(made, 'LICENSES.txt'), libraries.map(licenceOf).join('\n'))
    writeFileSync(join(made, record), JSON.stringify({ inputs, files: [...renamed.values()].sort() }))
    chmodSync(made, 0o755)
    rmSync(to, { recursive: true, force: true })
    renameSync(made, to)
  } finally {
    rmSync(made, { recursive: true, force: true })
  }
}

/** The bundled modules by name; the main one has no hash in its name yet. */
async function scripts(from) {
  const { rolldown } = await import('rolldown')
  const bundled = await rolldown({ input: { main: join(from, 'dist/main.js') }, platform: 'browser', logLevel: 'warn' })
  try {
    // What pages share is one file: a page then needs two or three requests.
    const ours = /dashboard[/\\]dist[/\\](?:(?:api|app|format)[/\\]|components[/\\](?!chart|marked-text|findings))/
    // What a run and a try show is one file, for it compresses better than several.
    const answers =
      /dashboard[/\\]dist[/\\](?:answer[/\\]|components[/\\](?:marked-text|findings)|pages[/\\]run[/\\](?!run-page|run-panel|attempt-diff))/
    // Pages that are small and much alike.
    const small =
      /dashboard[/\\]dist[/\\]pages[/\\](?:(?:sessions|evaluations|upstreams|keys)[/\\]|contracts[/\\](?:contracts-page|use-contracts))/
    const groups = [
      { name: 'shared', test: (id) => ours.test(id) || /[/\\]@?preact[/\\]/.test(id), priority: 1 },
      { name: 'answer', test: answers, priority: 1 },
      { name: 'small-page', test: small, priority: 1 },
    ]
    const options = {
      format: 'es',
      minify: true,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
      comments: false,
      codeSplitting: { groups },
    }
    const { output } = await bundled.generate(options)
    return output.map(({ fileName, code }) => [fileName, Buffer.from(code)])
  } finally {
    await bundled.close()
  }
}

function others(from) {
  const parts = [
    ...styles.map((name) => readFileSync(join(from, `src/style/${name}.css`), 'utf8')),
    readFileSync(join(modules, 'uplot/dist/uPlot.min.css'), 'utf8'),
    ...pageStyles(from).map((path) => readFileSync(path, 'utf8')),
  ]
  const css = parts
    .join('\n')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(';}', '}')
    .replaceAll(/([a-z)]): /g, '$1:')
  return [
    ['style.css', Buffer.from(css)],
    ['mark.svg', readFileSync(join(from, 'src/mark.svg'))],
  ]
}

/** The styles of single pages and components, beside them. */
function pageStyles(from) {
  const found = readdirSync(join(from, 'src'), { recursive: true, encoding: 'utf8' })
  return found
    .filter((path) => /^(?:components|pages)[/\\].*\.css$/.test(path))
    .sort()
    .map((path) => join(from, 'src', path))
}

function hashed(name, bytes) {
  const dot = name.lastIndexOf('.')
  const hash = createHash('sha256').update(bytes).digest('base64url').replaceAll(/[-_]/g, '').slice(0, 8)
  return `${name.slice(0, dot)}-${hash}${name.slice(dot)}`
}

function write(path, bytes) {
  writeFileSync(path, bytes)
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  writeFileSync(
    `${path}.br`,
    brotliCompressSync(bytes, { params: { [zlib.BROTLI_PARAM_QUALITY]: 11, [zlib.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  )
}

function hashOf(from) {
  const hash = createHash('sha256').update(readFileSync(fileURLToPath(import.meta.url)))
  const files = ['src', 'dist'].flatMap((folder) =>
    readdirSync(join(from, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
  )
  const used = files.filter((path) => /^src.*\.(?:css|html|svg)$|^dist.*\.js$/.test(path))
  for (const path of used.sort()) hash.update(path).update(readFileSync(join(from, path)))
  for (const library of [...libraries, 'rolldown']) hash.update(readFileSync(join(modules, library, 'package.json')))
  return hash.digest('hex')
}

function licenceOf(name) {
  return `${name}\n\n${readFileSync(join(modules, name, 'LICENSE'), 'utf8')}`
}
