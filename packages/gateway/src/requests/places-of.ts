import type { GatewayConfig } from '../config/resolved/gateway-config.ts'
import type { CalledPlace } from '../records/run/run-facts.ts'
import { placeOf } from '../upstreams/upstream-place.ts'

/** Where calls of upstreams go, for spans. */
export function placesOf(
  targets: readonly { readonly upstream: string; readonly model?: string | undefined }[],
  { upstreams }: Pick<GatewayConfig, 'upstreams'>,
): readonly CalledPlace[] {
  return targets.flatMap(({ upstream, model }) => {
    const config = upstreams.find(({ name }) => name === upstream)
    return config === undefined ? [] : [{ ...placeOf(config), ...(model === undefined ? {} : { model }) }]
  })
}
