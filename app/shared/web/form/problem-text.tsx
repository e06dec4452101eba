/** The error message below a control; the control's `aria-describedby` contains `id`. */
export const ProblemText = ({ id, message }: { id: string; message: string | null }) =>
  message !== null && (
    <p id={id} className="wrap-anywhere font-semibold text-error text-sm">
      {message}
    </p>
  )
