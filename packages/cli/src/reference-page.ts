import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The full path of a page of the reference: that of the checkout, or the one that is installed with the command. */
export function referencePage(page: string): string {
  const folder = packageFolder(dirname(fileURLToPath(import.meta.url)))
  const places = [join(folder, '../../docs/reference', page), join(folder, 'dist/reference', page)]
  return places.find((place) => existsSync(place)) ?? join(folder, 'README.md')
}

/** The folder of this package, whether it runs from its sources, its build or its bundle. */
function packageFolder(from: string): string {
  return existsSync(join(from, 'package.json')) || dirname(from) === from ? from : packageFolder(dirname(from))
}
