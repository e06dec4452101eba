/** Rules about variants that browser and server share. Apart from those of lists, because fewer pages need them. */

/** The name of a variant, such as 'Shirt – Red / M'. */
export const nameOfVariant = ({
  name,
  options,
}: {
  name: string
  options: { value: string }[] | null
}): string => (options ? `${name} – ${options.map(({ value }) => value).join(' / ')}` : name)
