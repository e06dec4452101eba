/** The id of the part of a product's page where a variant is chosen; cards lead there. */
export const CHOICE_ID = 'choose'
