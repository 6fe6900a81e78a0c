struct node { int value; struct node *next; };
static struct node *head;
int main(void) {
    return head->next->value; // fault: NullPointer null pointer, 8 bytes from it
}
