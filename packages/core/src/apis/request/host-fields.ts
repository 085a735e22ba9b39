/**
 * Top-level fields by which some proxies let clients choose the upstream's host, key or headers;
 * they are never passed on.
 */
export const hostFields: readonly string[] = [
  'api_base',
  'api_key',
  'api_type',
  'api_version',
  'apiBase',
  'apiKey',
  'aws_access_key_id',
  'aws_bedrock_runtime_endpoint',
  'aws_profile_name',
  'aws_role_name',
  'aws_secret_access_key',
  'aws_session_token',
  'aws_web_identity_token',
  'azure_ad_token',
  'azure_endpoint',
  'base_url',
  'baseURL',
  'context_window_fallbacks',
  'credentials',
  'custom_host',
  'custom_llm_provider',
  'default_headers',
  'endpoint',
  'extra_body',
  'extra_headers',
  'extra_query',
  'fallbacks',
  'headers',
  'litellm_credential_name',
  'litellm_params',
  'model_list',
  'organization',
  'proxy',
  'proxy_url',
  'router_settings',
  'user_config',
  'vertex_credentials',
]

/**
 * Everything that a protocol does not pass on: our own field, host and key fields, and what it
 * translates itself.
 */
export function withheld(...translated: readonly string[]): ReadonlySet<string> {
  return new Set(['stickler', ...hostFields, ...translated])
}
