/** A value that is made at its first use, instead of when its module is loaded. */
export function atFirstUse<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
