import type { PageHost } from './page-host.ts'

/** Asks the gateway. */
export type Api = ReturnType<typeof createApi>

/** Makes the client of the gateway's API: sends the key of this tab, and words errors. */
export function createApi(host: Pick<PageHost, 'fetch' | 'sessionStorage'>) {
  const place = 'stickler.key'
  let key = ''
  try {
    key = host.sessionStorage.getItem(place) ?? ''
  } catch {
    // A browser without storage keeps the key until the page is left.
  }

  const explain = async (response: Response): Promise<string> => {
    try {
      const { error } = (await response.json()) as { readonly error?: { readonly message?: unknown } }
      if (typeof error?.message === 'string') return error.message
    } catch {
      // Something between browser and gateway replied.
    }
    return `The gateway responded with ${response.status}.`
  }

  const ask = async (path: string, options: RequestInit = {}): Promise<Response> => {
    const headers: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` }
    const response = await host.fetch(path, { ...options, headers, redirect: 'error' }).catch((error: unknown) => {
      throw options.signal?.aborted ? error : Object.assign(new Error('The gateway cannot be reached.'), { status: 0 })
    })
    if (response.ok) return response
    throw Object.assign(new Error(await explain(response)), { status: response.status })
  }

  return {
    ask,

    hasKey: (): boolean => key !== '',

    /** Sets the key, an empty one to forget it; returns whether it has a valid form. */
    useKey(text: string): boolean {
      const given = text.trim()
      // Other characters are not allowed in a header.
      if (!/^[\x21-\x7e]*$/.test(given)) return false
      key = given
      try {
        if (given === '') host.sessionStorage.removeItem(place)
        else host.sessionStorage.setItem(place, given)
      } catch {
        // As above.
      }
      return true
    },

    async get<Answer>(path: string): Promise<Answer> {
      return (await (await ask(path)).json()) as Answer
    },

    /** The status of an error; 0 when there was no reply. */
    statusOf: (error: unknown): number => (error instanceof Error && 'status' in error ? Number(error.status) : 0),
  }
}
