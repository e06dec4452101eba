const SCALLOPS = [0, 1, 2, 3, 4, 5, 6, 7]

/** Illustration of the information pages: a market stall in the shop's colours. */
export function ShopIllustration() {
  return (
    <svg role="img" aria-label="A market stall" viewBox="0 0 480 400" className="w-full">
      <circle cx="240" cy="200" r="190" className="fill-accent/20" />
      <path d="M92 150h12v200H92zM376 150h12v200h-12z" className="fill-neutral" />
      <path d="M72 250h336v20H72zM84 270h312v86H84z" className="fill-secondary" />
      <path d="M84 292h312M84 314h312M84 336h312" className="stroke-base-100/25" strokeWidth="2" />
      <g className="fill-accent">
        <circle cx="120" cy="238" r="15" />
        <circle cx="150" cy="238" r="15" />
        <circle cx="135" cy="216" r="15" />
      </g>
      <path d="M196 250v-42q0-14 12-18v-16h24v16q12 4 12 18v42z" className="fill-info" />
      <path d="M262 250l8-46h48l8 46z" className="fill-primary" />
      <path d="M278 204q16-52 32 0" fill="none" className="stroke-primary" strokeWidth="7" />
      <path d="M342 250v-30h38v30z" className="fill-neutral" />
      <path d="M361 220q-26-14-14-44 18 12 14 44 0-32 22-38 4 30-22 38" className="fill-success" />
      {SCALLOPS.map((at) => (
        <path
          key={at}
          d={`M${80 + at * 40} 60h40v86a20 20 0 0 1-40 0z`}
          className={at % 2 ? 'fill-accent' : 'fill-primary'}
        />
      ))}
      <path d="M72 52h336v16H72z" className="fill-neutral" />
    </svg>
  )
}
