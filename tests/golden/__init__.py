"""Files of earlier versions, and the tests that today's code still reads them."""
