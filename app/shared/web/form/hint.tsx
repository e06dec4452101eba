/** The hint below a control; the control's `aria-describedby` contains `id`. */
export const Hint = ({ id, text }: { id: string; text: string }) => (
  <p id={id} className="text-base-content/75 text-sm">
    {text}
  </p>
)
