/** Outlines in a 24 × 24 viewport. */
const OUTLINES = {
  home: 'M4 11 12 4l8 7M6 9.5V20h12V9.5M10 20v-6h4v6',
  shelves: 'M4 5h6v6H4zM14 5h6v6h-6zM4 15h6v4H4zM14 15h6v4h-6z',
  cart: 'M3 4h2.5l2.200 11h10.600L21 7.5H6.300M9 19.5h.01M17 19.5h.01',
  person:
    'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M4.5 20.5c.8-3.700 3.800-5.5 7.5-5.5s6.700 1.800 7.5 5.5',
  'new-person':
    'M10 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8M2.5 20.5c.8-3.700 3.800-5.5 7.5-5.5 1.700 0 3.300.4 4.600 1.200M19 14v6M16 17h6',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14M16 16l4.5 4.5',
  down: 'm6 9.5 6 6 6-6',
  left: 'm14.5 5.5-6.5 6.5 6.5 6.5',
  right: 'm9.5 5.5 6.5 6.5-6.5 6.5',
} as const

export type IconName = keyof typeof OUTLINES

/** An icon beside a word, or in a button with its own label. */
export function Icon({ name, className = 'size-5' }: { name: IconName; className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 24 24"
      className={`shrink-0 ${className}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={OUTLINES[name]} />
    </svg>
  )
}

type PictureProps = { src: string; size: number; className: string; lazy?: boolean }

/** A decorative picture beside its name, shown whole; an empty space when it cannot be loaded. */
export const Picture = ({ src, size, className, lazy = false }: PictureProps) => (
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
