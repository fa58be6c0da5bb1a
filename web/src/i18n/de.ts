import { type Messages, en } from "./en";
export const de: Messages = en;
