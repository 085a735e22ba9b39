/** The members of an object that are not undefined. */
type Defined<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined>
} & { [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key] }

/** Leaves out the members that are undefined, because an absent one and an undefined one are not the same. */
export function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>
}
