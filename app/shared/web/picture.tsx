type Props = { src: string; size: number; className: string; lazy?: boolean }

/** A decorative picture beside its name, shown whole; an empty space when it cannot be loaded. */
export const Picture = ({ src, size, className, lazy = false }: Props) => (
  <img
    src={src}
    alt=""
    onError={({ currentTarget }) => currentTarget.classList.add('invisible')}
    width={size}
    height={size}
    loading={lazy ? 'lazy' : undefined}
    className={`rounded-field bg-base-200 object-contain ${className}`}
  />
)
