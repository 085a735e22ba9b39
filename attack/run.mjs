// Loads the attack and the packages from their sources, as the tests do: `npm run attack -- --help`.
import { createServer } from 'vite'

const server = await createServer({
  configFile: new URL('../vitest.config.ts', import.meta.url).pathname,
  root: new URL('..', import.meta.url).pathname,
  logLevel: 'error',
  appType: 'custom',
  optimizeDeps: { noDiscovery: true, include: [] },
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
})
const { main } = await server.ssrLoadModule('/attack/main.ts')
process.exitCode = await main(process.argv.slice(2))
await server.close()
