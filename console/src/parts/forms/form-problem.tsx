import { Alert, List } from '@mantine/core';

/** What was refused and belongs to no field of the form; see `FieldProblems.rest`. */
export function FormProblem({ messages }: { readonly messages: readonly string[] }) {
  if (messages.length === 0) return null;
  return (
    <Alert color="red" role="alert" title="This was not saved">
      {messages.length === 1 ? (
        messages[0]
      ) : (
        <List size="sm">
          {messages.map((message) => (
            <List.Item key={message}>{message}</List.Item>
          ))}
        </List>
      )}
    </Alert>
  );
}
