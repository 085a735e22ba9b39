import { ComposedParameters } from '../apis/request/composed-parameters.ts'
import type { ApiName } from '../apis/shared/wire.ts'

/** More addresses are forgotten, the longest unused first. */
const mostAddresses = 100

/** Remembers for each address what its models have refused of what is added here. */
export function addressParameters(): (api: ApiName, url: string) => ComposedParameters {
  const known = new Map<string, ComposedParameters>()
  return (api, baseUrl) => {
    const [address = ''] = baseUrl.split(/[?#]/, 1)
    const found = known.get(address) ?? new ComposedParameters({ api, baseUrl })
    known.delete(address)
    known.set(address, found)
    const [oldest] = known.keys()
    if (known.size > mostAddresses && oldest !== undefined) known.delete(oldest)
    return found
  }
}
