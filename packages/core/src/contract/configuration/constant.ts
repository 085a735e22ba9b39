/** Options as constants: they are only read, so lists and objects that cannot be changed will do. */
export type Constant<Option> = Option extends ((...given: never[]) => unknown) | { readonly '~standard': unknown }
  ? Option
  : Option extends object
    ? { readonly [Key in keyof Option]: Constant<Option[Key]> }
    : Option
