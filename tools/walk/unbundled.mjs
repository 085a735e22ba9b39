/** Resolves entries of packages to their own files in place of the bundles made of them. */
export async function resolve(specifier, context, next) {
  const found = await next(specifier, context)
  return { ...found, url: found.url.replace(/(\/packages\/[a-z]+\/dist)\/node\/(?!shared\/)/, '$1/') }
}
